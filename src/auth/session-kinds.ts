/** The two kinds of sessions, and how Lucia reads and writes them. Only this file and `sessions.ts` use Lucia. */
import { PostgresJsAdapter } from '@lucia-auth/adapter-postgresql'
import { type Adapter, Lucia, TimeSpan } from 'lucia'
import type { Sql } from 'postgres'
import type { Session } from '../schema/account/account.ts'

type Attributes = Omit<Session, 'session_id'> & { public_id: string }

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<Session, { username: string }>
    DatabaseUserAttributes: { username: string }
    DatabaseSessionAttributes: Attributes
  }
}

/**
 * A token's first letter is the kind of its session: `b` ends with the browser, `r` is remembered. Each kind has its own Lucia,
 * because one Lucia gives all its sessions the same lifetime.
 */
export function sessionKindsIn(sql: Sql) {
  const adapter = adapterFor(sql)
  const lasting = (lifetime: TimeSpan) =>
    new Lucia(adapter, {
      sessionExpiresIn: lifetime,
      getUserAttributes: ({ username }) => ({ username }),
      getSessionAttributes: ({ public_id, ...attributes }): Session => ({ session_id: public_id, ...attributes }),
    })

  const day = lasting(new TimeSpan(24, 'h'))
  const month = lasting(new TimeSpan(30, 'd'))
  // With a lifetime of 0 Lucia never extends: a session without remember-me ends 24 hours after it began.
  const fixed = lasting(new TimeSpan(0, 's'))
  // Each names the Lucia that begins a session, and the one that validates it.
  const kinds = {
    b: { begins: day, validates: fixed, max_age_s: undefined },
    r: { begins: month, validates: month, max_age_s: new TimeSpan(30, 'd').seconds() },
  }
  const kindOf = (token: string) => (/^[br][0-9a-f]{64}$/.test(token) ? kinds[token[0] as 'b' | 'r'] : undefined)
  // All share one table, so any of them lists and ends every session.
  return { kinds, kindOf, any: day }
}

/**
 * Lucia's adapter, but with the look-up of every request as one prepared query. The original sends two queries, and Postgres
 * parses and plans them each time.
 */
function adapterFor(sql: Sql): Adapter {
  const adapter: Adapter = new PostgresJsAdapter(sql, { user: 'users', session: 'sessions' })
  adapter.getSessionAndUser = async session_id => {
    const [row] = await sql<(Attributes & { user_id: string; username: string; expires_at: Date })[]>`
      select session.user_id, session.expires_at, session.public_id, session.created_at, session.used_at, session.device,
             session.remembered, users.username
      from   sessions session
      join   users on users.id = session.user_id
      where  session.id = ${session_id}`
    if (!row) return [null, null]
    const { user_id, username, expires_at, ...attributes } = row
    return [
      { id: session_id, userId: user_id, expiresAt: expires_at, attributes },
      { id: user_id, attributes: { username } },
    ]
  }
  return adapter
}
