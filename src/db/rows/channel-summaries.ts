/**
 * What is kept of each channel: how many of its videos are unwatched, its newest video, and its name to sort by. A change only notes that
 * the summary is out of date, so no save waits for a mark, and no two of them wait for each other. Who reads summaries brings them up to
 * date first.
 */
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable } from '../postgres/client.ts'

/** Call in a statement of its own before `channel_summaries` is read: a statement does not see what it changes. */
export async function keepSummaries(sql: Queryable, user_id: UserId): Promise<void> {
  // Postgres finds the least id by the index, and may read all changes of all people to find out whether there is one.
  await sql`
    select keep_channel_summaries(${user_id})
    where  (select min(id) from channel_changes where user_id = ${user_id}) is not null`
}
