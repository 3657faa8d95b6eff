/** The reader's time zone, which `page/clocks.js` stores in a cookie; UTC before it did, and when it names none. */
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'

export function timeZoneOf(c: Context): string {
  const named = getCookie(c, 'time_zone')
  return named && isTimeZone(named) ? named : 'UTC'
}

function isTimeZone(name: string): boolean {
  try {
    return name.length <= 64 && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
