/** Cookies that scripts can't read. With https their `__Host-` prefix binds them to this host: no other host of its domain can set one. */
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { type Env, isHttps } from './context.ts'

export function hostCookie(name: string) {
  const options = (c: Context<Env>) => {
    const secure = isHttps(c)
    return { path: '/', httpOnly: true, sameSite: 'Lax', secure, ...(secure && { prefix: 'host' as const }) } as const
  }
  return {
    read: (c: Context<Env>) => (isHttps(c) ? getCookie(c, name, 'host') : getCookie(c, name)),
    /** `max_age_s` undefined: the cookie lasts until the browser closes. */
    write: (c: Context<Env>, value: string, max_age_s: number | undefined) =>
      setCookie(c, name, value, { ...options(c), ...(max_age_s !== undefined && { maxAge: max_age_s }) }),
    remove: (c: Context<Env>) => deleteCookie(c, name, options(c)),
  }
}
