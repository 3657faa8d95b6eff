/**
 * Finds out from the header AUTH_HEADER who sent a request. The header is believed if the connection itself comes from TRUSTED_PROXIES,
 * whatever other headers say, and is removed from every request, so that nothing later can read it.
 *
 * The person in the header counts before the session cookie, and an API token before both. A name that opens no account leaves the session
 * as it is, so that its person can link the name in the settings; without a session, the name gets an account if that is possible.
 */
import type { Context } from 'hono'
import { nameIn } from '../../auth/trusted-header.ts'
import type { ProxyPeople } from '../../domain/account/proxy-people.ts'
import { DomainError } from '../../errors.ts'
import { amongThem } from '../../net/addresses.ts'
import { memoized } from '../../runtime/cache.ts'
import type { User } from '../../schema/values/user.ts'
import type { Env } from './context.ts'
import type { CountSignedOut } from './request-limits.ts'

type Trust = { AUTH_HEADER?: string | undefined; TRUSTED_PROXIES?: string[] | undefined }

/** Sets `proxy_header`, and removes the header. */
export function takeProxyHeader({ AUTH_HEADER: header, TRUSTED_PROXIES = [] }: Trust) {
  const isProxy = memoized(amongThem(TRUSTED_PROXIES))
  return (c: Context<Env>): void => {
    const value = header === undefined ? null : c.req.raw.headers.get(header)
    if (header === undefined || value === null) return
    c.req.raw = without(header, c.req.raw)
    if (isProxy(c.env?.remote_address ?? '')) c.set('proxy_header', value)
  }
}

function without(header: string, request: Request): Request {
  try {
    request.headers.delete(header)
    return request
  } catch {
    // Deno's headers can't be changed.
    const headers = new Headers(request.headers)
    headers.delete(header)
    return new Request(request, { headers })
  }
}

/**
 * Sets `user` and `by_proxy`, or `unlinked`. Runs before the session is read. Throws `forbidden` for a locked person, and for an unclear
 * value: to pass over it would hide a fault of the proxy, and show the library of a session to someone else.
 */
export const readProxyPerson =
  (people: ProxyPeople | undefined, countSignedOut: CountSignedOut) =>
  async (c: Context<Env>): Promise<void> => {
    const value = c.get('proxy_header')
    if (!people || value === undefined || c.get('by_token')) return
    try {
      const name = nameIn(value)
      if (name === null) throw new DomainError('forbidden', unclear)
      if (name === undefined) return
      const user = await people.find(name)
      if (user) signInByProxy(c, user)
      else c.set('unlinked', { identity: people.identityOf(name) })
    } catch (refusal) {
      // A refused request never reaches limitRequestsByPerson, so it is counted here.
      countSignedOut(c.get('client'))
      throw refusal
    }
  }

const unclear = 'The proxy in front of this service sends a name that is not clear. Ask your administrator.'

/** Creates the account of an unlinked name, unless the request has a session. */
export const createProxyPerson =
  (people: ProxyPeople | undefined) =>
  async (c: Context<Env>): Promise<void> => {
    const unlinked = c.get('unlinked')
    if (!people || !unlinked || c.get('user')) return
    const created = await people.create(unlinked.identity.subject)
    if ('identity' in created) c.set('unlinked', created)
    else signInByProxy(c, created)
  }

function signInByProxy(c: Context<Env>, user: User): void {
  c.set('user', user)
  c.set('by_proxy', true)
  c.set('unlinked', undefined)
}
