/** Reads the rows of channels. */
import type { Channel } from '../../schema/channel.ts'
import type { UserId } from '../../schema/user.ts'
import type { Queryable } from '../postgres/client.ts'
import { whenDue } from './fetch-state.ts'

export async function findChannel(sql: Queryable, user_id: UserId, channel_id: string): Promise<Channel | undefined> {
  const [channel] = await findChannels(sql, user_id, [channel_id])
  return channel
}

/** In no order; those that the person does not have are left out. */
export const findChannels = (sql: Queryable, user_id: UserId, channel_ids: string[]): Promise<Channel[]> =>
  sql<Channel[]>`
    select ${channelColumns(sql)}
    from   channels c
    where  user_id = ${user_id} and channel_id = any(${channel_ids})`

/** The columns of `Channel`, from a row named `c`. */
export const channelColumns = (sql: Queryable) => sql`
  channel_id,
  title,
  ${isFollowed(sql)} as followed,
  rss_url,
  page_url,
  image_url,
  last_fetched_at,
  ${whenDue(sql)} as next_fetch_at,
  fetch_error,
  failing_since,
  case when listed_at > failing_since then listed_at end as listed_at,
  quality,
  skipped,
  feed_warning,
  entry_count`

/** A channel without a feed address has only videos that were added by their address. */
export const isFollowed = (sql: Queryable) => sql`(rss_url is not null)`
