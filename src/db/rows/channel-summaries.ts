/**
 * What is kept of each channel: how many of its videos are unwatched, its newest video, and its name to sort by. A change only notes that
 * the summary is out of date, so no save waits for a mark, and no two of them wait for each other. Who reads summaries brings them up to
 * date first.
 */
import { unlessReadOnly } from '../../runtime/read-only.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Piece, Queryable } from '../postgres/client.ts'

/**
 * Call in a statement of its own before `channel_summaries` is read: a statement does not see what it changes. In a read-only database
 * they stay as they are.
 */
export async function keepSummaries(sql: Queryable, user_id: UserId): Promise<void> {
  await unlessReadOnly(sql`select keep_channel_summaries(${user_id}) where ${areOutdated(sql, user_id)}`)
}

/** For `exists`, Postgres may read the changes of all people. It finds the least id by the index. */
const areOutdated = (sql: Queryable, user_id: UserId) =>
  sql`(select min(id) from channel_changes where user_id = ${user_id}) is not null`

/** Reads summaries that are rarely out of date with one statement. `read` gets a condition, and selects it as `are_outdated`. */
export async function readSummaries<Row extends { are_outdated: boolean }>(
  sql: Queryable,
  user_id: UserId,
  read: (are_outdated: Piece) => PromiseLike<Row[]>,
): Promise<Row[]> {
  const rows = await read(areOutdated(sql, user_id))
  if (!rows[0]?.are_outdated) return rows
  await keepSummaries(sql, user_id)
  return read(areOutdated(sql, user_id))
}
