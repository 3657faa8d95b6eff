/**
 * Answers a button: htmx gets the parts of the page that changed, a plain form goes back to its page. Both get the message. For the
 * next page, a message is stored in a cookie until that page shows it.
 */
import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { DomainError } from '../../errors.ts'
import { Flash } from '../../schema/http/flash.ts'
import { isolated } from '../../schema/values/words.ts'
import { FlashPartial } from '../../views/ui/flash.tsx'
import { type Env, isFragment } from './context.ts'
import { hostCookie } from './cookies.ts'
import { pageBefore } from './redirects.ts'
import { orRefusal } from './valid.ts'

type Change = { parts: () => Child | Promise<Child>; flash: Flash | undefined; otherwise: string }

export async function changed(c: Context<Env>, { parts, flash, otherwise }: Change): Promise<Response> {
  if (isFragment(c)) {
    return c.render(
      <>
        {await parts()}
        {flash && <FlashPartial flash={[flash]} />}
      </>,
    )
  }
  return back(c, otherwise, flash)
}

/** Answers an Undo that restores a thing which the person named. `one`: what it is called. */
export async function restored(
  c: Context<Env>,
  one: string,
  restoring: Promise<{ name: string }>,
  otherwise: string,
): Promise<Response> {
  const thing = await orRefusal(restoring, ['conflict', 'invalid'])
  if (thing instanceof DomainError) return back(c, otherwise, { kind: 'problem', text: thing.message })
  return back(c, otherwise, { kind: 'done', text: `Restored the ${one} ${isolated(thing.name)}.` })
}

/** Redirects to the page the form was on; to `otherwise` when the browser does not name it. */
export function back(c: Context<Env>, otherwise: string, flash?: Flash): Response {
  if (flash) setFlash(c, flash)
  return c.redirect(pageBefore(c.req.header('referer'), c.var.here, otherwise), 303)
}

const cookie = hostCookie('flash')

/** Stores the message for the next page. */
export function setFlash(c: Context<Env>, flash: Flash): void {
  cookie.write(c, Buffer.from(JSON.stringify(flash)).toString('base64url'), 60)
}

/** Returns and removes the message; empty if there is none. */
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
