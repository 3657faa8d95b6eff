/**
 * Lets requests in by the secret in their address. Sets `link`, and `library` of its owner. A session or a token in the request changes
 * nothing, because neither is read. Every address that opens nothing gets the same answer.
 */
import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import type { Secrets } from '../../db/account/secrets.ts'
import type { Library } from '../../db/library.ts'
import { nothingHere } from '../../errors.ts'
import type { Log } from '../../runtime/log.ts'
import type { LinkKind } from '../../schema/links/link.ts'
import type { UserId } from '../../schema/values/user.ts'
import { LinkFaultPage } from '../../views/links/link-fault-page.tsx'
import type { Env } from '../http/context.ts'
import { logged } from '../http/error-answers.tsx'
import { type OpenAnswers, recordAnswers } from '../http/open-answers.ts'
import { type CountSignedOut, limitRequestsByLink, type RequestLimits } from '../http/request-limits.ts'
import { before } from '../http/steps.ts'
import { setRetryAfter } from '../http/valid.ts'

type Door = {
  secrets: Secrets
  libraryOf: (user_id: UserId) => Library
  open_links: OpenAnswers
  limitByAddress: (c: Context<Env>) => void
  countSignedOut: CountSignedOut
  limits?: RequestLimits | undefined
  log: Log
}

/** `prefix`: `/s` or `/f`, with which the paths of `routes` begin. */
export function linkDoor(prefix: string, kinds: LinkKind[], door: Door, routes: Hono<Env>): Hono<Env> {
  const { secrets, libraryOf, open_links, limitByAddress, countSignedOut, limits, log } = door
  const enter = async (c: Context<Env>) => {
    c.header('X-Robots-Tag', 'noindex')
    limitByAddress(c)
    c.set('kind', 'files')
    const link = await secrets.open(kinds, c.req.path.split('/')[2] ?? '')
    if (!link) {
      countSignedOut(c.get('client'))
      throw nothingHere()
    }
    c.set('link', link)
    c.set('library', libraryOf(link.user.user_id))
  }
  const app = new Hono<Env>()
  app.onError((error, c) => faultPage(c, logged(log, error, c)))
  // A television requests the file from a page of another site. No cookie is read here.
  app.use(`${prefix}/*`, cors({ origin: '*', allowMethods: ['GET', 'HEAD'], exposeHeaders: ['*'] }))
  app.use(`${prefix}/*`, before(enter, limitRequestsByLink(limits)))
  app.use(
    `${prefix}/*`,
    recordAnswers(open_links, c => c.get('link').secret_id),
  )
  app.route('/', routes)
  app.all(`${prefix}/*`, () => {
    throw nothingHere()
  })
  return app
}

/** The page does not say why a link opens nothing: only its owner may know. */
function faultPage(c: Context<Env>, refusal: ReturnType<typeof logged>): Response | Promise<Response> {
  setRetryAfter(c, refusal)
  const { code, title, message } = refusal
  const fault = code === 'not_found' ? undefined : { title, detail: message }
  return c.render(<LinkFaultPage versions={c.get('versions')} fault={fault} />, refusal.status)
}
