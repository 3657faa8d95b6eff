/**
 * Finds out whether a connection passes through a pooler, such as PgBouncer. No variable has to say it.
 *
 * A pooler announces to its clients another process of the server than the one that answers. In transaction mode the next statement may
 * reach another session of the server: no prepared statement, setting, lock or `LISTEN` outlives its transaction.
 */
import { setTimeout } from 'node:timers/promises'
import { connect, isPooled, type Sql } from './client.ts'

/** Adds `prepare=false` to the address of a pooler. Returns another address, or one that has `prepare=…` already, as it is. */
export async function addressThatFits(url: string): Promise<string> {
  if (/[?&]prepare=/.test(url)) return url
  const pooled = `${url}${url.includes('?') ? '&' : '?'}prepare=false`
  const sql = connect(pooled, { max: 1 })
  try {
    const answer = await sql`select pg_backend_pid() as pid`
    return answer[0]?.pid === answer.state.pid ? url : pooled
  } finally {
    await sql.end()
  }
}

/** Throws a sentence if a session ends with its transaction. `whose`: the role that needs more than that. */
export async function requireSessions(url: string, whose: string): Promise<void> {
  if (!isPooled(url)) return
  const [listening, telling] = [connect(url, { max: 1 }), connect(url, { max: 1 })]
  try {
    if (!(await isHeard(listening, telling))) throw new Error(no_sessions(whose))
  } finally {
    await Promise.all([listening.end({ timeout: 1 }), telling.end({ timeout: 1 })])
  }
}

const no_sessions = (whose: string) =>
  `DATABASE_URL leads through a pooler in transaction mode, such as PgBouncer, and ${whose} needs sessions of its own. Give it the ` +
  'address of Postgres itself, or of a pooler in session mode.'

/** Milliseconds. A notification within a session takes a few. */
const longest_ms = 5000

/** Whether a session hears what another one tells it. */
async function isHeard(listening: Sql, telling: Sql): Promise<boolean> {
  const channel = `backlot_${crypto.randomUUID()}`
  const heard = Promise.withResolvers<true>()
  const { unlisten } = await listening.listen(channel, () => heard.resolve(true))
  await telling.notify(channel, '')
  const is_heard = await Promise.race([heard.promise, setTimeout(longest_ms, false, { ref: false })])
  await unlisten()
  return is_heard
}
