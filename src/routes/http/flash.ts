/** A message for the next page, stored in a cookie until it is shown. */
import type { Context } from 'hono'
import { Flash } from '../../schema/http/flash.ts'
import type { Env } from './context.ts'
import { hostCookie } from './host-cookie.ts'

export type { Flash }

const cookie = hostCookie('flash')

export function setFlash(c: Context<Env>, flash: Flash): void {
  cookie.write(c, Buffer.from(JSON.stringify(flash)).toString('base64url'), 60)
}

export function takeFlash(c: Context<Env>): Flash[] {
  const value = cookie.read(c)
  if (value === undefined) return []
  cookie.remove(c)
  try {
    return [Flash.parse(JSON.parse(Buffer.from(value, 'base64url').toString()))]
  } catch {
    // The cookie was not written here.
    return []
  }
}
