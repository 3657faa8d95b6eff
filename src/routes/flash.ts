/** A message for the next page, kept in a cookie until it is shown. */
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { z } from 'zod'

const Flash = z.object({ kind: z.enum(['done', 'problem']), text: z.string().max(500) })
export type Flash = z.infer<typeof Flash>

const cookie = 'flash'

export function setFlash(c: Context, flash: Flash): void {
  const value = Buffer.from(JSON.stringify(flash)).toString('base64url')
  setCookie(c, cookie, value, { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: 60 })
}

export function takeFlash(c: Context): Flash[] {
  const value = getCookie(c, cookie)
  if (value === undefined) return []
  deleteCookie(c, cookie, { path: '/' })
  try {
    return [Flash.parse(JSON.parse(Buffer.from(value, 'base64url').toString()))]
  } catch {
    // Not one of ours.
    return []
  }
}
