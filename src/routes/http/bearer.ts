/**
 * Signs in programs that send an API token in the `Authorization` header, and checks what the token may do.
 *
 * A token opens the API and the files, never a page, so it can't create tokens, change the password or end sessions.
 * With a token, cookies and origins do not count. A wrong, revoked or expired token gets 401, whatever else the request
 * contains.
 */
import type { Context } from 'hono'
import type { TokenOwners } from '../../db/account/tokens.ts'
import { requireOwner } from '../../domain/account/tokens.ts'
import type { Scope } from '../../schema/account/account.ts'
import { docs_path, type Env } from './context.ts'
import { kindOfRoute } from './request-kind.ts'
import type { CountSignedOut } from './request-limits.ts'
import { isSafe } from './same-origin.ts'

/** The API, and the files of videos and pictures. */
const open_to_tokens = /^\/(api|stream|download|pictures)\//

/** A lookup by GET changes nothing here, but makes this server fetch from another site, so it needs `write`. */
const scopeFor = (method: string, path: string): Scope =>
  isSafe(method) && kindOfRoute(`GET ${path}`) !== 'lookups' ? 'read' : 'write'

/** Sets `user` and `by_token`. */
export function bearer(owners: TokenOwners, countSignedOut: CountSignedOut) {
  return async (c: Context<Env>): Promise<void> => {
    const secret = secretIn(c.req.header('authorization'))
    if (secret === undefined || !open_to_tokens.test(c.req.path) || c.req.path === docs_path) return
    c.set('by_token', true)
    const scope = scopeFor(c.req.method, c.req.path)
    const { user } = await requireOwner(owners, secret, scope).catch((refusal: unknown) => {
      // A refused request never reaches limitRequestsByPerson, so it is counted here.
      countSignedOut(c.get('client'))
      throw refusal
    })
    c.set('user', user)
  }
}

/** `undefined` for other schemes, such as a reverse proxy's own password. */
const secretIn = (header = ''): string | undefined =>
  /^bearer(?=\s|$)/i.test(header) ? header.slice('bearer'.length).trim() : undefined
