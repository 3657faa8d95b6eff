/** Answers a button: htmx gets the parts of the page that changed, a plain form goes back to its page. Both get the message. */
import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { FlashPartial } from '../../views/ui/flash.tsx'
import { type Env, isFragment } from './context.ts'
import { type Flash, setFlash } from './flash.ts'
import { pageBefore } from './next.ts'

/** Redirects to the page the form was on; to `otherwise` when the browser does not name it. */
export const back = (c: Context<Env>, otherwise: string): Response =>
  c.redirect(pageBefore(c.req.header('referer'), c.var.here, otherwise), 303)

type Changed = { parts: () => Child | Promise<Child>; flash: Flash | undefined; otherwise: string }

export async function changed(c: Context<Env>, { parts, flash, otherwise }: Changed): Promise<Response> {
  if (isFragment(c)) {
    return c.html(
      <>
        {await parts()}
        {flash && <FlashPartial flash={[flash]} />}
      </>,
    )
  }
  if (flash) setFlash(c, flash)
  return back(c, otherwise)
}
