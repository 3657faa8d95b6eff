/** Who is signed in, for every request; and the line behind which somebody has to be. */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { type Proven, type Sessions, session_cookie } from '../../auth/sessions.ts'
import type { Library } from '../../db/library/library.ts'
import { DomainError } from '../../errors.ts'
import type { UserId } from '../../schema/user.ts'
import { type Env, isFragment, wantsJson } from './context.ts'
import { hostCookie } from './host-cookie.ts'
import { pageBefore } from './next.ts'

export type SessionCookies = ReturnType<typeof sessionCookies>

/** Reading, writing and removing the session cookie. */
export function sessionCookies(sessions: Sessions) {
  const { read, write, remove } = hostCookie(session_cookie)

  return {
    /** A new session replaces whatever the browser brought. `false`: the password is another since it was checked. */
    async begin(c: Context<Env>, account: Proven, remember: boolean): Promise<boolean> {
      const earlier = read(c)
      if (earlier) await sessions.end(earlier)
      const begun = await sessions.begin(account, remember, c.req.header('user-agent'))
      if (begun) write(c, begun.token, begun.max_age_s)
      return begun !== undefined
    },

    async end(c: Context<Env>) {
      const token = read(c)
      if (token) await sessions.end(token)
      remove(c)
    },

    /** Sets `user` and `session`: who is signed in and where, or `null`; not when a token says who it is. */
    middleware: createMiddleware<Env>(async (c, next) => {
      if (c.get('by_token')) return next()
      const token = read(c)
      const session = token === undefined ? undefined : await sessions.validate(token)
      if (token !== undefined && session?.extended_s !== undefined) write(c, token, session.extended_s)
      c.set('user', session?.user ?? null)
      c.set('session', session?.session ?? null)
      await next()
    }),
  }
}

/** The line: everything mounted after it has a `user` and that user's `library`. */
export const signedIn = (libraryOf: (user_id: UserId) => Library) =>
  createMiddleware<Env>(async (c, next) => {
    const user = c.get('user')
    if (!user) return signedOut(c)
    c.set('library', libraryOf(user.user_id))
    return next()
  })

/** The page is shown again after signing in; a program is told so; htmx moves the whole window. */
function signedOut(c: Context<Env>): Response {
  if (wantsJson(c)) throw new DomainError('signed_out', 'Sign in first.')
  const { pathname, search } = new URL(c.req.url)
  const is_page = c.req.method === 'GET' && !isFragment(c)
  // What was not asked for as a page came from one: there one goes on.
  const from = c.req.header(isFragment(c) ? 'hx-current-url' : 'referer')
  const next = is_page ? pathname + search : pageBefore(from, c.var.here, '')
  const login = next === '' ? '/login' : `/login?next=${encodeURIComponent(next)}`
  if (!isFragment(c)) return c.redirect(login, 303)
  return c.body(null, 401, { 'HX-Redirect': login })
}
