/**
 * Finds out who sent a request, by the session cookie of a browser or the API token of a program, and refuses requests that need a
 * sign-in and have none.
 *
 * An API token opens the API and the files, never a page, so it can't create API tokens, change the password or end sessions. With an API
 * token, cookies and origins do not count. A wrong, revoked or expired one gets 401, whatever else the request contains.
 */
import type { Context } from 'hono'
import { type Proven, type Sessions, session_cookie } from '../../auth/sessions.ts'
import type { Secrets } from '../../db/account/secrets.ts'
import type { Library } from '../../db/library.ts'
import { requireOwner } from '../../domain/account/tokens.ts'
import { DomainError } from '../../errors.ts'
import type { Scope } from '../../schema/account/account.ts'
import type { UserId } from '../../schema/values/user.ts'
import { docs_path, type Env, isFragment, wantsJson } from './context.ts'
import { hostCookie } from './cookies.ts'
import { isForSignedIn, pageBefore } from './redirects.ts'
import { kindOfRoute } from './request-kind.ts'
import type { CountSignedOut } from './request-limits.ts'
import { isSafe } from './same-origin.ts'

export type SessionCookies = ReturnType<typeof sessionCookies>

/**
 * Begins and ends the session of one browser, together with its cookie. Where a proxy says who sends a request, nothing of this happens:
 * the cookie may be another person's.
 */
export function sessionCookies(sessions: Sessions) {
  const { read, placeOf } = hostCookie(session_cookie)
  const send = (c: Context<Env>, token?: string) => {
    const cookie = sessions.cookie(placeOf(c), token)
    c.header('Set-Cookie', cookie.serialize(), { append: true })
    return cookie.attributes.maxAge
  }
  /** Set while the session began at the OpenID provider, so that signing out also leads there. It opens nothing. */
  const by_provider = hostCookie('by_provider')

  return {
    /** Replaces the browser's earlier session. `false`: what was proven has changed since it was checked. */
    async begin(c: Context<Env>, account: Proven, remember: boolean, by?: 'provider'): Promise<boolean> {
      if (c.get('by_proxy')) return true
      const earlier = read(c)
      if (earlier) await sessions.end(earlier)
      const begun = await sessions.begin(account, remember, c.req.header('user-agent'))
      const max_age_s = begun && send(c, begun.token)
      if (begun && by) by_provider.write(c, '1', max_age_s)
      else by_provider.take(c)
      return begun !== undefined
    },

    /** Returns whether the session began at the OpenID provider. */
    async end(c: Context<Env>): Promise<boolean> {
      if (c.get('by_proxy')) return false
      const token = read(c)
      if (token) await sessions.end(token)
      send(c)
      return by_provider.take(c) !== undefined
    },

    /** Sets `user` and `session`, unless the request has an API token, or a proxy said who sent it. */
    async readSession(c: Context<Env>): Promise<void> {
      const token = c.get('by_token') || c.get('by_proxy') ? undefined : read(c)
      const session = token === undefined ? undefined : await sessions.validate(token)
      if (token === undefined || session === undefined) return
      if (session.is_extended) send(c, token)
      c.set('user', session.user)
      c.set('session', session.session)
    },
  }
}

/** The routes mounted after this have a `user` and that user's `library`. */
export const requireSignIn = (libraryOf: (user_id: UserId) => Library) => (c: Context<Env>) => {
  const user = c.get('user')
  if (!user) return refuseSignedOut(c)
  c.set('library', libraryOf(user.user_id))
}

/** A page leads to the sign-in and back; a program gets 401; htmx navigates the whole window. */
function refuseSignedOut(c: Context<Env>): Response {
  if (wantsJson(c)) throw new DomainError('signed_out', c.get('unlinked')?.sentence ?? 'Sign in first.')
  const { pathname, search } = new URL(c.req.url)
  const is_page = c.req.method === 'GET' && !isFragment(c)
  // A form or a fragment belongs to a page: that page is opened after the sign-in.
  const from = pageBefore(c.req.header(isFragment(c) ? 'hx-current-url' : 'referer'), c.var.here, '')
  const next = is_page ? pathname + search : from
  // Their session has ended, or they clicked on a page that is only shown to signed-in people.
  const has_ended = hostCookie(session_cookie).read(c) !== undefined
  const was_in = !c.get('by_token') && (has_ended || !is_page || isForSignedIn(from))
  const login = loginPath(next, was_in)
  if (!isFragment(c)) return c.redirect(login, 303)
  return c.body(null, 401, { 'HX-Redirect': login })
}

/** `was_in`: the page says that the person was signed out. The address says it, because a poll must leave no flash behind. */
function loginPath(next: string, was_in: boolean): string {
  const query = new URLSearchParams({ ...(next !== '' && { next }), ...(was_in && { was: 'signed-in' }) }).toString()
  return query === '' ? '/login' : `/login?${query}`
}

/** The API, and the files of videos and pictures. */
const open_to_tokens = /^\/(api|stream|download|pictures)\//

/** What `requireAdministrator` opens. */
const desk = /^\/api\/(admin|health)(\/|$)/

/** They make addresses that need no sign-in. */
const making = /^\/api\/podcasts\.opml$/

/** A lookup by GET changes nothing here, but makes this server fetch from another site, so it needs `write`. */
export function scopeFor(method: string, path: string): Scope {
  if (desk.test(path)) return 'admin'
  return isSafe(method) && !making.test(path) && kindOfRoute(`GET ${path}`) !== 'lookups' ? 'read' : 'write'
}

/** Sets `user` and `by_token`. */
export function bearer(secrets: Secrets, countSignedOut: CountSignedOut) {
  return async (c: Context<Env>): Promise<void> => {
    const token = bearerTokenIn(c.req.header('authorization'))
    if (token === undefined || !open_to_tokens.test(c.req.path) || c.req.path === docs_path) return
    c.set('by_token', true)
    const scope = scopeFor(c.req.method, c.req.path)
    const { user } = await requireOwner(secrets, token, scope).catch((refusal: unknown) => {
      // A refused request never reaches limitRequestsByPerson, so it is counted here.
      countSignedOut(c.get('client'))
      throw refusal
    })
    c.set('user', user)
  }
}

/** The text after "Bearer". `undefined` for other schemes, such as a reverse proxy's own password. */
export const bearerTokenIn = (header = ''): string | undefined =>
  /^bearer(?=\s|$)/i.test(header) ? header.slice('bearer'.length).trim() : undefined
