/**
 * The cookies of this site: tokens that are bound to this host, choices for one browser, and what a script stores: the time zone and the
 * fold of the column. No script reads the first two.
 */
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { ZodType } from 'zod'
import { memoized } from '../../runtime/cache.ts'
import { Theme } from '../../schema/account/account.ts'
import { ListView } from '../../schema/channels/channel-api.ts'
import { isTimeZone } from '../../schema/values/local-time.ts'
import { baseOf, type Env, isHttps } from './context.ts'

const common = (c: Context<Env>) =>
  ({ path: baseOf(c) || '/', httpOnly: true, sameSite: 'Lax', secure: isHttps(c) }) as const

/**
 * With https the `__Host-` prefix binds the cookie to this host: no other host of its domain can set it. Below a path only `__Secure-` is
 * possible, because `__Host-` demands the path `/`.
 */
export function hostCookie(name: string) {
  const nameIn = (c: Context<Env>) => (!isHttps(c) ? name : baseOf(c) ? `__Secure-${name}` : `__Host-${name}`)
  const read = (c: Context<Env>) => getCookie(c, nameIn(c))
  const remove = (c: Context<Env>) => deleteCookie(c, nameIn(c), common(c))
  return {
    read,
    placeOf: (c: Context<Env>) => ({ name: nameIn(c), path: baseOf(c) || '/', secure: isHttps(c) }),
    /** Reads and removes it. */
    take(c: Context<Env>): string | undefined {
      const value = read(c)
      if (value !== undefined) remove(c)
      return value
    },
    /** `max_age_s` undefined: the cookie lasts until the browser closes. */
    write: (c: Context<Env>, value: string, max_age_s: number | undefined) =>
      setCookie(c, nameIn(c), value, { ...common(c), ...(max_age_s !== undefined && { maxAge: max_age_s }) }),
    remove,
  }
}

/** Removes the oldest of the cookies whose names begin with `name`, so that `most` remain. Browsers send the oldest first (RFC 6265). */
export function keepNewest(c: Context<Env>, name: string, most: number): void {
  const start = hostCookie(name).placeOf(c).name
  const found = Object.keys(getCookie(c)).filter(key => key.startsWith(start))
  for (const key of found.slice(0, -most)) deleteCookie(c, key, common(c))
}

export const theme_cookie = choiceCookie('theme', Theme.catch('system'))

/** How a browser shows the videos of a channel. */
export const view_cookie = choiceCookie('view', ListView.catch('grid'))

/** Stored for as long as browsers allow. `schema` turns a missing or wrong value into the usual choice. */
function choiceCookie<Choice extends string>(name: string, schema: ZodType<Choice>) {
  return {
    read: (c: Context): Choice => schema.parse(getCookie(c, name)),
    write: (c: Context<Env>, choice: Choice) => setCookie(c, name, choice, { ...common(c), maxAge: 400 * 24 * 3600 }),
  }
}

/** Whether the fold of channels in the column is open, which `page/menus.js` stores. */
export const channelsOpen = (c: Context): boolean => getCookie(c, 'channels') === 'open'

/** The reader's time zone, which `page/clocks.js` stores; UTC on the first page, and if the cookie names no time zone. */
export function timeZoneOf(c: Context): string {
  const name = getCookie(c, 'time_zone')
  return name && isKnown(name) ? name : 'UTC'
}

/** Remembered, because the answer takes as long as several videos of a page. */
const isKnown = memoized(isTimeZone)
