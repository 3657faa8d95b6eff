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

export function setFlash(c: Context<Env>, flash: Flash): void {
  const value = Buffer.from(JSON.stringify(flash)).toString('base64url')
  setCookie(c, cookie, value, { path: '/', httpOnly: true, sameSite: 'Lax', secure: isHttps(c), maxAge: 60 })
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
