/** Reads the rows of channels, and writes what they store about the fetches of their feeds, as parts of queries. */
import { type Channel, notFoundWords } from '../../schema/channels/channel.ts'
import type { FeedVersion } from '../../schema/sources/feed.ts'
import type { UserId } from '../../schema/values/user.ts'
import { firstRow, type Piece, type Queryable, type Sql } from '../postgres/client.ts'
import { pictureUrl } from '../postgres/stored-pictures.ts'
import { feedsAt, pausedForEveryoneUntil } from '../queue/host-pauses.ts'

export const findChannel = (sql: Queryable, user_id: UserId, channel_id: string): Promise<Channel | undefined> =>
  firstRow(findChannels(sql, user_id, [channel_id]))

/** In no order. Channels that the person does not have are left out. */
export const findChannels = (sql: Queryable, user_id: UserId, channel_ids: string[]): Promise<Channel[]> =>
  sql<Channel[]>`
    select ${channelColumns(sql)}
    from   channels c
    where  user_id = ${user_id} and channel_id = any(${channel_ids})`

/** The columns of `Channel`, from a row named `c`. */
export const channelColumns = (sql: Queryable) => sql`
  ${listedChannelColumns(sql)},
  ${whenDue(sql)} as next_fetch_at,
  rss_url,
  page_url,
  quality,
  ${groupIds(sql)} as group_ids,
  bell,
  skipped,
  entry_count`

/** The columns that the list of channels shows, from a row named `c`. */
export const listedChannelColumns = (sql: Queryable) => sql`
  channel_id,
  title,
  ${isFollowed(sql)} as followed,
  image_url,
  ${pictureUrl(sql, 'channel', sql`image_url`)} as picture_url,
  last_fetched_at,
  fetch_error,
  failing_since,
  case when listed_at > failing_since then listed_at end as listed_at,
  feed_warning`

/** The groups of a row named `c`. Deleted groups keep their channels, to be restored with them. */
const groupIds = (sql: Queryable) => sql`
  array(select   group_id
        from     channel_groups member
        join     groups owned using (user_id, group_id)
        where    member.user_id = c.user_id and member.channel_id = c.channel_id and owned.deleted_at is null
        order by lower(name))`

/** A channel without a feed address has only videos that were added by their address. */
export const isFollowed = (sql: Queryable) => sql`(rss_url is not null)`

/** Whether the site answered that there is no such feed. `notFoundWords` makes the stored sentence. */
export const isFeedGone = (sql: Queryable) =>
  sql`(fetch_error in (${notFoundWords(404)}, ${notFoundWords(410)})) is true`

/** The columns of a channel that is not followed: it has no feed, and nothing is known of fetches. */
export const without_feed = {
  rss_url: null,
  last_fetched_at: null,
  next_fetch_at: null,
  every_minutes: null,
  etag: null,
  last_modified: null,
  body_hash: null,
  fetch_error: null,
  fetch_failed_at: null,
  fetch_failures: 0,
  failing_since: null,
  refresh_asked_at: null,
  skipped: 0,
  feed_warning: null,
  list_at: null,
  list_since: null,
  listed_at: null,
}

/** What the next scheduled fetch of a feed needs to know about this one. */
type FetchState = { known: FeedVersion; next_fetch_at: Date }
/** `rss_url`: the address that was fetched. A channel that has switched to another feed meanwhile is not changed. */
export type FeedFetchState = FetchState & { rss_url: string }

/** When the feed is fetched next: as planned, or when the pause of its host ends. */
export const whenDue = (sql: Queryable) => sql`
  case when next_fetch_at is not null
       then greatest(next_fetch_at, ${pausedForEveryoneUntil(sql, feedsAt(sql, sql`rss_url`))}) end`

/**
 * After a fetch that worked, on schedule or by hand. A listing that replaced the feed while it failed is not needed any longer.
 * `row`: the name of the stored row.
 */
export const fetchWorked = (sql: Sql, row: 'known' | 'channels') => sql`
  last_fetched_at = now(), fetch_error = null, fetch_failures = 0, failing_since = null,
  first_checked_at = case when ${sql(row)}.imported_at is not null then coalesce(${sql(row)}.first_checked_at, now()) end,
  list_at    = case when ${sql(row)}.failing_since is null then ${sql(row)}.list_at end,
  list_since = case when ${sql(row)}.failing_since is null then ${sql(row)}.list_since end`

/** After a fetch that failed, or a save without room. `error`: why, as a sentence. */
export const fetchFailed = (sql: Sql, error: Piece) => sql`
  fetch_error = ${error}, fetch_failed_at = now(), failing_since = coalesce(failing_since, now())`

/** The `next_fetch_at` after a successful refresh by hand: a normal plan stays; a plan that failures postponed is cleared. */
export const replanned = (sql: Sql) => sql`case when known.fetch_failures = 0 then known.next_fetch_at end`

/** `skipped`: how many entries could not be read. `warning`: what is wrong with the feed, as a sentence. */
export type FeedFaults = { skipped?: number | undefined; warning?: string | null | undefined }
