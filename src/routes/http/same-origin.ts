/**
 * Refuses requests that another site makes a browser send. Browsers name the page's origin on every unsafe request; a program
 * names none, and no page can misuse its cookies. A browser never adds a token on its own, so requests with a token pass.
 */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { DomainError } from '../../errors.ts'
import type { Env, Here } from './context.ts'

/**
 * Whether a page of another site made the browser send this; typing into the address bar sends `none`. Requests with a token
 * are never from another site: a program can write any header, and must not escape a limit by it.
 */
export const fromAnotherSite = (c: Context<Env>): boolean =>
  !c.get('by_token') && ['cross-site', 'same-site'].includes(c.req.header('sec-fetch-site') ?? '')

/** For GETs that make this server fetch from other sites: a link elsewhere must not cause that. */
export const refuseOtherSites = createMiddleware<Env>(async (c, next) => {
  if (fromAnotherSite(c)) throw foreign()
  await next()
})

const foreign = () => new DomainError('forbidden', 'This came from another site. Open the page here and try again.')

/** Whether a method, by its definition in HTTP, changes nothing. */
export const isSafe = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method)

export function sameOrigin(c: Context<Env>): void {
  if (
    !isSafe(c.req.method) &&
    !c.get('by_token') &&
    isForeign(c.req.header('sec-fetch-site'), c.req.header('origin'), c.get('here'))
  ) {
    throw foreign()
  }
}

/** `site` is the Sec-Fetch-Site header; older browsers do not send it, so `origin` is judged instead. */
function isForeign(site: string | undefined, origin: string | undefined, here: Here): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  if (origin === undefined) return false
  const from = URL.parse(origin)
  // `here` says https where PUBLIC_URL or a trusted proxy does. Where it says http, a proxy that we do not know may end https.
  return from?.host !== here.host || (here.protocol === 'https:' && from.protocol !== 'https:')
}
