/**
 * Refuses what another site makes a browser send. Browsers name the page's origin on every unsafe request; a program
 * without a browser names none, and has no foreign page that could misuse its cookies. A token is nothing that a browser
 * would send by itself.
 */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { DomainError } from '../../errors.ts'
import type { Env } from './context.ts'

/**
 * Whether another site made the browser ask; `none` is the address bar. With a token it is a program, which may write any
 * header: limits that do not count for other sites must count for it.
 */
export const fromAnotherSite = (c: Context<Env>): boolean =>
  !c.get('by_token') && ['cross-site', 'same-site'].includes(c.req.header('sec-fetch-site') ?? '')

/** For what changes nothing here and yet asks other sites: a link elsewhere must not set that off. */
export const refuseOtherSites = createMiddleware<Env>(async (c, next) => {
  if (fromAnotherSite(c)) throw foreign()
  await next()
})

const foreign = () => new DomainError('forbidden', 'This came from another site. Open the page here and try again.')

export const sameOrigin = createMiddleware<Env>(async (c, next) => {
  const safe = ['GET', 'HEAD', 'OPTIONS'].includes(c.req.method)
  if (!safe && !c.get('by_token') && isForeign(c.req.header('sec-fetch-site'), c.req.header('origin'), c.var.here)) {
    throw foreign()
  }
  await next()
})

/** `site` is what modern browsers say of themselves; `origin` is judged where it is missing. */
function isForeign(site: string | undefined, origin: string | undefined, here: URL): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== here.host
}
