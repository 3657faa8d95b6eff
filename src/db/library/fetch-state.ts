/** What a channel stores about the fetches of its feed: parts of queries for other files. */
import type { Known } from '../../schema/feed.ts'
import type { Follower } from '../../schema/jobs.ts'
import type { Queryable, Sql } from '../postgres/client.ts'
import { feedsAt, pausedForEveryoneUntil } from '../queue/host-pauses.ts'

/** What the next scheduled fetch of a feed needs to know about this one. */
export type FetchState = { known: Known; next_fetch_at: Date }
/** `rss_url`: the address that was fetched. A channel that has switched to another feed meanwhile is not changed. */
export type FeedFetchState = FetchState & { rss_url: string }

/** When the feed is fetched next: as planned, or when the pause of its host ends. */
export const whenDue = (sql: Queryable) => sql`
  case when next_fetch_at is not null
       then greatest(next_fetch_at, ${pausedForEveryoneUntil(sql, feedsAt(sql, sql`rss_url`))}) end`

/** After a fetch that worked, on schedule or by hand. */
export const fetchWorked = (sql: Sql) => sql`
  last_fetched_at = now(), fetch_error = null, fetch_failures = 0, failing_since = null`

/** The `next_fetch_at` after a successful refresh by hand: a normal plan stays; a plan that failures postponed is cleared. */
export const replanned = (sql: Sql) => sql`case when known.fetch_failures = 0 then known.next_fetch_at end`

/** Columns to set after a scheduled fetch that worked. */
export const remembered = (sql: Sql, { known, next_fetch_at }: FetchState) => sql`
  etag          = ${known.etag},
  last_modified = ${known.last_modified},
  body_hash     = ${known.body_hash},
  every_minutes = ${known.every_minutes},
  next_fetch_at = ${next_fetch_at}`

/**
 * Sets what a fetch could not read. The warning of a feed without entries is stored only if the channel had entries before.
 */
export const feedFaults = (
  sql: Sql,
  { user_id, channel_id }: Follower,
  { skipped = 0, warning = null }: FeedFaults,
) => sql`
  skipped      = ${skipped},
  feed_warning = case
                   when ${skipped}::int > 0 or exists (
                     select from video_entries
                     where  (user_id, channel_id) = (${user_id}, ${channel_id})) then ${warning}::text
                 end`

/** `skipped`: how many entries could not be read. `warning`: what is wrong with the feed, as a sentence. */
export type FeedFaults = { skipped?: number | undefined; warning?: string | null | undefined }
