/**
 * Who is signed in, and where. The only file that knows Lucia.
 *
 * The cookie holds a token, the table its hash, so that reading the table signs nobody in. The token's first
 * letter says which kind of session it is: Lucia slides every session by one global lifetime, so each kind has its own.
 */
import { createHash, randomBytes } from 'node:crypto'
import { PostgresJsAdapter } from '@lucia-auth/adapter-postgresql'
import { type Session as Kept, Lucia, TimeSpan } from 'lucia'
import type { Sql } from 'postgres'
import type { Session } from '../schema/account.ts'
import { type User, UserId } from '../schema/user.ts'
import { deviceOf } from './device.ts'

type Attributes = Omit<Session, 'session_id'> & { public_id: string }

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<Session, { username: string }>
    DatabaseUserAttributes: { username: string }
    DatabaseSessionAttributes: Attributes
  }
}

export const session_cookie = 'session'

/** Somebody whose password was right, and its hash as it was then. */
export type Proven = User & { password_hash: string }

export interface Sessions {
  /**
   * A new session; earlier ones of the same browser are ended by the caller. `undefined`: the password that was right
   * is another by now, and whoever changed it has ended all sessions; or the account is gone.
   */
  begin(
    account: Proven,
    remember: boolean,
    user_agent?: string,
  ): Promise<{ token: string; max_age_s: number | undefined } | undefined>
  /** `undefined`: nobody. `extended_s`: the cookie must be sent again with this lifetime. */
  validate(token: string): Promise<{ user: User; session: Session; extended_s: number | undefined } | undefined>
  end(token: string): Promise<void>
  /** Where somebody is signed in, the latest used first. */
  list(user_id: UserId): Promise<Session[]>
  /** `false`: this person has no such session. */
  endOne(user_id: UserId, session_id: string): Promise<boolean>
  /** All of a person's, but for this one, if any is named. */
  endAll(user_id: UserId, but_session_id?: string): Promise<void>
  forgetExpired(): Promise<void>
}

/** Of one person; the one that was not used for the longest goes first. */
const most_sessions = 100

export function sessionsIn(sql: Sql): Sessions {
  const { kinds, kindOf, day } = kindsIn(sql)
  const endThose = async (user_id: UserId, isMeant: (session: Kept) => boolean) => {
    const meant = (await day.getUserSessions(user_id)).filter(isMeant)
    for (const { id } of meant) await day.invalidateSession(id)
    return meant.length > 0
  }

  return {
    async begin({ user_id, password_hash }, remember, user_agent) {
      const kind = remember ? 'r' : 'b'
      const token = kind + randomBytes(32).toString('hex')
      const now = new Date()
      const attributes = { created_at: now, used_at: now, device: deviceOf(user_agent), remembered: remember }
      await kinds[kind].begins.createSession(
        user_id,
        { public_id: crypto.randomUUID(), ...attributes },
        { sessionId: hashOf(token) },
      )
      // Asked afterwards: a change that is not seen here yet ends all sessions when this one is there already.
      const [proven] = await sql`select from users where id = ${user_id} and password_hash = ${password_hash}`
      if (proven) {
        await sql`
          delete from sessions
          where id in (select id from sessions where user_id = ${user_id} order by used_at desc, id offset ${most_sessions})`
        return { token, max_age_s: kinds[kind].max_age_s }
      }
      await this.end(token)
      return undefined
    },

    async validate(token) {
      const kind = kindOf(token)
      if (!kind) return undefined
      const { session, user } = await kind.goes_on.validateSession(hashOf(token))
      if (!session) return undefined
      if (Date.now() - session.used_at.getTime() > a_minute_ms)
        await sql`update sessions set used_at = now() where id = ${session.id}`
      return {
        user: { user_id: UserId.parse(user.id), username: user.username },
        session: shown(session),
        extended_s: session.fresh ? kind.max_age_s : undefined,
      }
    },

    list: async user_id =>
      (await day.getUserSessions(user_id))
        .map(shown)
        .toSorted((one, other) => other.used_at.getTime() - one.used_at.getTime()),

    end: token => day.invalidateSession(hashOf(token)),
    endOne: (user_id, session_id) => endThose(user_id, session => session.session_id === session_id),
    endAll: async (user_id, but_session_id) =>
      void (await endThose(user_id, session => session.session_id !== but_session_id)),
    forgetExpired: () => day.deleteExpiredSessions(),
  }
}

function kindsIn(sql: Sql) {
  const adapter = new PostgresJsAdapter(sql, { user: 'users', session: 'sessions' })
  const lasting = (lifetime: TimeSpan) =>
    new Lucia(adapter, {
      sessionExpiresIn: lifetime,
      getUserAttributes: ({ username }) => ({ username }),
      getSessionAttributes: ({ public_id, ...attributes }): Session => ({ session_id: public_id, ...attributes }),
    })

  const day = lasting(new TimeSpan(24, 'h'))
  const month = lasting(new TimeSpan(30, 'd'))
  // A window of nothing never slides: a session without remember-me ends 24 hours after it began.
  const fixed = lasting(new TimeSpan(0, 's'))
  const kinds = {
    b: { begins: day, goes_on: fixed, max_age_s: undefined },
    r: { begins: month, goes_on: month, max_age_s: new TimeSpan(30, 'd').seconds() },
  }
  const kindOf = (token: string) => (/^[br][0-9a-f]{64}$/.test(token) ? kinds[token[0] as 'b' | 'r'] : undefined)
  return { kinds, kindOf, day }
}

/** Sessions say when they were used to the minute, which spares a write for every request. */
const a_minute_ms = 60_000

/** Without the identifier, which no page may have. */
const shown = ({ session_id, created_at, used_at, device, remembered }: Kept): Session => ({
  session_id,
  created_at,
  used_at,
  device,
  remembered,
})

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
