/**
 * Who is signed in. The only file that knows Lucia.
 *
 * The cookie holds a token, the table its hash, so that reading the table signs nobody in. The token's first
 * letter says which kind of session it is: Lucia slides every session by one global lifetime, so each kind has its own.
 */
import { createHash, randomBytes } from 'node:crypto'
import { PostgresJsAdapter } from '@lucia-auth/adapter-postgresql'
import { Lucia, TimeSpan } from 'lucia'
import type { Sql } from 'postgres'
import { type User, UserId } from '../schema/user.ts'

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<Record<never, never>, { username: string }>
    DatabaseUserAttributes: { username: string }
  }
}

export const session_cookie = 'session'

export interface Sessions {
  /** A new session; earlier ones of the same browser are ended by the caller. */
  begin(user: User, remember: boolean): Promise<{ token: string; max_age_s: number | undefined }>
  /** `undefined`: nobody. `extended_s`: the cookie must be sent again with this lifetime. */
  validate(token: string): Promise<{ user: User; extended_s: number | undefined } | undefined>
  end(token: string): Promise<void>
  forgetExpired(): Promise<void>
}

export function sessionsIn(sql: Sql): Sessions {
  const adapter = new PostgresJsAdapter(sql, { user: 'users', session: 'sessions' })
  const lasting = (lifetime: TimeSpan) =>
    new Lucia(adapter, { sessionExpiresIn: lifetime, getUserAttributes: ({ username }) => ({ username }) })

  const day = lasting(new TimeSpan(24, 'h'))
  const month = lasting(new TimeSpan(30, 'd'))
  // A window of nothing never slides: a session without remember-me ends 24 hours after it began.
  const fixed = lasting(new TimeSpan(0, 's'))
  const kinds = {
    b: { begins: day, goes_on: fixed, max_age_s: undefined },
    r: { begins: month, goes_on: month, max_age_s: new TimeSpan(30, 'd').seconds() },
  }
  const kindOf = (token: string) => (/^[br][0-9a-f]{64}$/.test(token) ? kinds[token[0] as 'b' | 'r'] : undefined)

  return {
    async begin(user, remember) {
      const kind = remember ? 'r' : 'b'
      const token = kind + randomBytes(32).toString('hex')
      await kinds[kind].begins.createSession(user.user_id, {}, { sessionId: hashOf(token) })
      return { token, max_age_s: kinds[kind].max_age_s }
    },

    async validate(token) {
      const kind = kindOf(token)
      if (!kind) return undefined
      const { session, user } = await kind.goes_on.validateSession(hashOf(token))
      if (!session) return undefined
      return {
        user: { user_id: UserId.parse(user.id), username: user.username },
        extended_s: session.fresh ? kind.max_age_s : undefined,
      }
    },

    end: token => day.invalidateSession(hashOf(token)),
    forgetExpired: () => day.deleteExpiredSessions(),
  }
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
