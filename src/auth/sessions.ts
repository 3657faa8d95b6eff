/**
 * Begins, validates, lists and ends sessions.
 *
 * The cookie contains a token and the table its hash, so a leaked table signs no one in. Lucia decides when a session ends
 * (`sessionKindsIn`) and makes its cookie, and only this file uses Lucia.
 */
import { hash, randomBytes } from 'node:crypto'
import { PostgresJsAdapter } from '@lucia-auth/adapter-postgresql'
import { type Adapter, type Cookie, Lucia, type Session as LuciaSession, TimeSpan } from 'lucia'
import type { Sql } from 'postgres'
import { currentTime, isToBeNoted } from '../runtime/clock.ts'
import { isReadOnly, unlessReadOnly } from '../runtime/read-only.ts'
import { rememberSignIns } from '../runtime/sign-ins.ts'
import type { Session } from '../schema/account/account.ts'
import { type StoredUser, type User, UserId } from '../schema/values/user.ts'

export const session_cookie = 'session'

/** Who signs in, with the password hash that was stored when the sign-in was checked, and by which passkey, if by one. */
export type Proven = Pick<StoredUser, 'user_id' | 'password_hash'> & { passkey_id?: string }

export interface Sessions {
  /**
   * Begins a session; the caller ends the browser's earlier one. `undefined`: since the sign-in was checked, the password was
   * changed (which ends all sessions), the passkey was removed, or the account was locked or deleted.
   */
  begin(user: Proven, remember: boolean, user_agent?: string): Promise<{ token: string } | undefined>
  /** `undefined`: the session is unknown or over. `is_extended`: send the cookie again. */
  validate(token: string): Promise<{ user: User; session: Session; is_extended: boolean } | undefined>
  /** The cookie that gives the browser this token, or that takes its token away. */
  cookie(place: CookiePlace, token: string | undefined): Cookie
  end(token: string): Promise<void>
  /** A user's sessions, the most recently used first. */
  list(user_id: UserId): Promise<Session[]>
  /** `false`: this user has no such session. */
  endOne(user_id: UserId, session_id: string): Promise<boolean>
  /** Ends all sessions of a user, except `but_session_id`. */
  endAll(user_id: UserId, but_session_id?: string): Promise<void>
  forgetExpired(): Promise<void>
}

/** The name of the cookie here, with its prefix, and what depends on the address of the site. */
type CookiePlace = { name: string; path: string; secure: boolean }

/** The most sessions of a user. With more, the least recently used session ends. */
const max_sessions = 100

/** `sign_ins` remembers validated sessions for a moment; sessions that end here are forgotten there. */
export function sessionsIn(sql: Sql, sign_ins = rememberSignIns()): Sessions {
  const { kinds, kindOf, any, cookieOf } = sessionKindsIn(sql)
  const endMatching = async (user_id: UserId, matches: (session: LuciaSession) => boolean) => {
    try {
      const matching = (await any.getUserSessions(user_id)).filter(matches)
      for (const { id } of matching) await any.invalidateSession(id)
      return matching.length > 0
    } finally {
      sign_ins.forgetUser(user_id)
    }
  }

  return {
    async begin({ user_id, password_hash, passkey_id = null }, remember, user_agent) {
      const kind = remember ? 'r' : 'b'
      const token = kind + randomBytes(32).toString('hex')
      const now = currentTime()
      const attributes = { created_at: now, used_at: now, device: deviceOf(user_agent), remembered: remember }
      await kinds[kind].begins.createSession(
        user_id,
        { public_id: crypto.randomUUID(), ...attributes },
        { sessionId: hashOf(token) },
      )
      // Checked after the insert: a password change that this query does not see yet will end this session too.
      const [unchanged] = await sql`
        update users
        set    last_seen_at = now()
        where  id = ${user_id} and password_hash is not distinct from ${password_hash} and locked_at is null
        and    (${passkey_id}::uuid is null
                or exists (select from passkeys where user_id = ${user_id} and passkey_id = ${passkey_id}))
        returning id`
      if (unchanged) {
        await sql`
          delete from sessions
          where id in (select id from sessions where user_id = ${user_id} order by used_at desc, id offset ${max_sessions})`
        sign_ins.forgetUser(user_id)
        return { token }
      }
      await this.end(token)
      return undefined
    },

    async validate(token) {
      const kind = kindOf(token)
      if (!kind) return undefined
      const session_id = hashOf(token)
      // Only the request that looked it up sends the cookie again.
      let is_extended = false
      const found = await sign_ins.find(keyOf(session_id), async () => {
        // A session that is over is deleted, but not in a read-only database.
        const { session, user } = await kind.validates.validateSession(session_id).catch(noneIfReadOnly)
        if (!session) return undefined
        if (isToBeNoted(session.used_at))
          await unlessReadOnly(sql`
            with used as (
              update sessions
              set    used_at = now()
              where  id = ${session_id}
              returning user_id
            )
            update users
            set    last_seen_at = now()
            where  id in (select user_id from used)`)
        is_extended = session.fresh
        const { userId, expiresAt: expires_at } = session
        const { username, role } = user
        return { user: { user_id: UserId.parse(userId), username, role }, session: shown(session), expires_at }
      })
      return found && { user: found.user, session: found.session, is_extended }
    },

    cookie: cookieOf,

    list: async user_id =>
      (await any.getUserSessions(user_id))
        .map(shown)
        .toSorted((one, other) => other.used_at.getTime() - one.used_at.getTime()),

    async end(token) {
      const session_id = hashOf(token)
      try {
        await any.invalidateSession(session_id)
      } finally {
        sign_ins.forget(keyOf(session_id))
      }
    },
    endOne: (user_id, session_id) => endMatching(user_id, session => session.session_id === session_id),
    endAll: async (user_id, but_session_id) =>
      void (await endMatching(user_id, session => session.session_id !== but_session_id)),
    forgetExpired: () => any.deleteExpiredSessions(),
  }
}

function noneIfReadOnly(error: unknown): { session: null; user: null } {
  if (isReadOnly(error)) return { session: null, user: null }
  throw error
}

/** Leaves out Lucia's `id`: it is the hash of the token, which no page may contain. */
const shown = ({ session_id, created_at, used_at, device, remembered }: LuciaSession): Session => ({
  session_id,
  created_at,
  used_at,
  device,
  remembered,
})

const hashOf = (token: string) => hash('sha256', token)

const keyOf = (session_id: string) => `session ${session_id}`

type Attributes = Omit<Session, 'session_id'> & { public_id: string }
type Person = Pick<User, 'username' | 'role'>

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<Session, Person>
    DatabaseUserAttributes: Person
    DatabaseSessionAttributes: Attributes
  }
}

/**
 * A token's first letter is the kind of its session: `b` ends with the browser, `r` is remembered. Each kind has its own Lucia,
 * because one Lucia gives all its sessions the same lifetime.
 */
function sessionKindsIn(sql: Sql) {
  const adapter = adapterFor(sql)
  const lasting = (lifetime: TimeSpan) =>
    new Lucia(adapter, {
      sessionExpiresIn: lifetime,
      getUserAttributes: ({ username, role }) => ({ username, role }),
      getSessionAttributes: ({ public_id, ...attributes }): Session => ({ session_id: public_id, ...attributes }),
    })

  const day = lasting(new TimeSpan(24, 'h'))
  const remembered = new TimeSpan(30, 'd')
  const month = lasting(remembered)
  // With a lifetime of 0 Lucia never extends: a session without remember-me ends 24 hours after it began.
  const fixed = lasting(new TimeSpan(0, 's'))
  // Each names the Lucia that begins a session, and the one that validates it.
  const kinds = {
    b: { begins: day, validates: fixed },
    r: { begins: month, validates: month },
  }
  const kindOf = (token: string) => (/^[br][0-9a-f]{64}$/.test(token) ? kinds[token[0] as 'b' | 'r'] : undefined)
  // Its name and attributes depend on the request, so each cookie has a Lucia of its own.
  const cookieOf = ({ name, ...attributes }: CookiePlace, token: string | undefined): Cookie => {
    const lucia = new Lucia(adapter, { sessionExpiresIn: remembered, sessionCookie: { name, attributes } })
    if (token === undefined) return lucia.createBlankSessionCookie()
    const cookie = lucia.createSessionCookie(token)
    // Lucia gives each cookie a lifetime. The cookie of a session without remember-me ends with the browser.
    if (token.startsWith('b')) delete cookie.attributes.maxAge
    return cookie
  }
  // All kinds share one table, so any of them lists and ends every session.
  return { kinds, kindOf, any: day, cookieOf }
}

/**
 * Lucia's adapter, but with the look-up of every request as one prepared query. The original sends two queries, and Postgres
 * parses and plans them each time.
 */
function adapterFor(sql: Sql): Adapter {
  const adapter: Adapter = new PostgresJsAdapter(sql, { user: 'users', session: 'sessions' })
  adapter.getSessionAndUser = async session_id => {
    const [row] = await sql<(Attributes & Person & { user_id: string; expires_at: Date })[]>`
      select session.user_id, session.expires_at, session.public_id, session.created_at, session.used_at, session.device,
             session.remembered, users.username, users.role
      from   sessions session
      join   users on users.id = session.user_id
      where  session.id = ${session_id} and users.locked_at is null`
    if (!row) return [null, null]
    const { user_id, username, role, expires_at, ...attributes } = row
    return [
      { id: session_id, userId: user_id, expiresAt: expires_at, attributes },
      { id: user_id, attributes: { username, role } },
    ]
  }
  const { updateSessionExpiration } = adapter
  adapter.updateSessionExpiration = (id, expires_at) =>
    unlessReadOnly(updateSessionExpiration.call(adapter, id, expires_at))
  return adapter
}

/**
 * Names a browser by its User-Agent: "Firefox on Linux". A hint for people, because browsers can claim anything. `null`: neither the
 * browser nor the system is known.
 */
export function deviceOf(user_agent: string | undefined): string | null {
  if (!user_agent) return null
  const named = (known: [string, RegExp][]) => known.find(([, says]) => says.test(user_agent))?.[0]
  const browser = named(browsers)
  const system = named(systems)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? null
}

/** The order matters: most browsers also name those further down. */
const browsers: [string, RegExp][] = [
  ['Edge', /\bEdgA?(?:iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium)\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
  ['curl', /^curl\//],
]
const systems: [string, RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]
