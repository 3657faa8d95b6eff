/**
 * Answers a button: htmx gets the parts of the page that changed, a plain form goes back to its page. Both get the flash. For the next
 * page, a flash is stored in a cookie until that page shows it.
 */
import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { DomainError } from '../../errors.ts'
import { jsonIn } from '../../runtime/json.ts'
import { Flash, type Undo } from '../../schema/http/flash.ts'
import { isolated } from '../../schema/values/words.ts'
import { FlashPartial } from '../../views/frames/flash-messages.tsx'
import { type Env, isFragment, wantsJson } from './context.ts'
import { hostCookie } from './cookies.ts'
import { pageBefore } from './redirects.ts'
import { orRefusal } from './valid.ts'

/**
 * Answers an act: a program gets the result as JSON, a page or a request of htmx what `page` makes of it. A route that answers so is
 * mounted twice, below `/api` and below the pages.
 */
export const answer = <Result extends object>(
  c: Context<Env>,
  result: Result,
  page: (c: Context<Env>, result: Result) => Response | Promise<Response>,
): Response | Promise<Response> => (wantsJson(c) ? c.json(result) : page(c, result))

type Change = { parts: () => Child | Promise<Child>; flash: Said | undefined; otherwise: string }

export async function changed(c: Context<Env>, { parts, flash, otherwise }: Change): Promise<Response> {
  if (isFragment(c)) {
    return c.render(
      <>
        {await parts()}
        {flash && <FlashPartial flash={[flashOf(flash)]} />}
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
  return back(c, otherwise, thing instanceof DomainError ? thing : `Restored the ${one} ${isolated(thing.name)}.`)
}

/** Redirects to the page the form was on; to `otherwise` when the browser does not name it. */
export function back(c: Context<Env>, otherwise: string, said?: Said): Response {
  if (said) setFlash(c, said)
  return c.redirect(pageBefore(c.req.header('referer'), c.var.here, otherwise), 303)
}

/** Redirects to a page, which shows the flash. */
export function goTo(c: Context<Env>, path: string, said: Said): Response {
  setFlash(c, said)
  return c.redirect(path, 303)
}

/** Answers without a body once this is done. */
export async function acknowledge(c: Context<Env>, work: Promise<unknown>): Promise<Response> {
  await work
  return c.body(null, 204)
}

const cookie = hostCookie('flash')

/** Stores the flash for the next page. */
export function setFlash(c: Context<Env>, said: Said): void {
  cookie.write(c, Buffer.from(JSON.stringify(flashOf(said))).toString('base64url'), 60)
}

/** What a flash says. A text alone says what was done, a refusal why it was not. */
export type Said = Flash | string | DomainError

export const nothing_selected: Flash = { kind: 'problem', text: 'Select at least one video.' }

/** A flash with a button that undoes what was done; `false`: without one, because nothing can be undone. */
export const undoable = (text: string, undo: Undo | false): Flash => ({ kind: 'done', text, ...(undo && { undo }) })

const flashOf = (said: Said): Flash =>
  said instanceof DomainError
    ? { kind: 'problem', text: said.message }
    : typeof said === 'string'
      ? { kind: 'done', text: said }
      : said

/** Returns and removes the stored flash; empty if there is none. */
export function takeFlash(c: Context<Env>): Flash[] {
  const value = cookie.read(c)
  if (value === undefined) return []
  cookie.remove(c)
  const flash = Flash.safeParse(jsonIn(Buffer.from(value, 'base64url').toString()))
  // Anything else was not written by `setFlash`.
  return flash.success ? [flash.data] : []
}
