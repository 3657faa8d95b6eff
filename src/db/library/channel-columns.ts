/** Reads the row of a channel. */
import type { Channel } from '../../schema/channel.ts'
import type { UserId } from '../../schema/user.ts'
import type { Queryable } from '../postgres/client.ts'
import { whenDue } from './fetch-state.ts'

export async function findChannel(sql: Queryable, user_id: UserId, channel_id: string): Promise<Channel | undefined> {
  const [channel] = await sql<Channel[]>`
    select ${channelColumns(sql)}
    from   channels c
    where  user_id = ${user_id} and channel_id = ${channel_id}`
  return channel
}

/** The columns of `Channel`, from a row named `c`. */
export const channelColumns = (sql: Queryable) => sql`
  channel_id,
  title,
  rss_url,
  image_url,
  last_fetched_at,
  ${whenDue(sql)} as next_fetch_at,
  fetch_error,
  failing_since,
  quality,
  skipped,
  feed_warning,
  entry_count`
