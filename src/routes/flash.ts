/** A message for the next page, kept in a cookie until it is shown. */
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { z } from 'zod'
import { Undo } from '../schema/undo.ts'
import { type Env, isHttps } from './context.ts'

const Flash = z.object({
  kind: z.enum(['done', 'problem']),
  text: z.string().max(1000),
  undo: Undo.optional(),
})
export type Flash = z.infer<typeof Flash>

const cookie = 'flash'

/** Behind https its name binds it to this very host, so that no other site on its domain can put words into our mouth. */
const options = (c: Context<Env>) => {
  const secure = isHttps(c)
  return { path: '/', httpOnly: true, sameSite: 'Lax', secure, ...(secure && { prefix: 'host' as const }) } as const
}

export function setFlash(c: Context<Env>, flash: Flash): void {
  const value = Buffer.from(JSON.stringify(flash)).toString('base64url')
  setCookie(c, cookie, value, { ...options(c), maxAge: 60 })
}

export function takeFlash(c: Context<Env>): Flash[] {
  const value = isHttps(c) ? getCookie(c, cookie, 'host') : getCookie(c, cookie)
  if (value === undefined) return []
  deleteCookie(c, cookie, options(c))
  try {
    return [Flash.parse(JSON.parse(Buffer.from(value, 'base64url').toString()))]
  } catch {
    // Not one of ours.
    return []
  }
}
