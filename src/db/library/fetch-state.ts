/** How a channel's feed stands: when it is asked next, and what a fetch leaves behind. Pieces of the queries of others. */
import type { Known } from '../../schema/feed.ts'
import type { Follower } from '../../schema/jobs.ts'
import type { Queryable, Sql } from '../postgres/client.ts'
import { feedsAt, pausedForEveryoneUntil } from '../queue/host-pauses.ts'

/** What a scheduled fetch of a feed remembers for the next one. */
export type Visit = { known: Known; next_fetch_at: Date }
/** `rss_url`: the address that was fetched. A channel that follows another feed by now is left as it is. */
export type VisitAt = Visit & { rss_url: string }

/** As planned, unless its host is to be left alone for longer. */
export const whenDue = (sql: Queryable) => sql`
  case when next_fetch_at is not null
       then greatest(next_fetch_at, ${pausedForEveryoneUntil(sql, feedsAt(sql, sql`rss_url`))}) end`

/** A fetch worked, whoever asked for it. */
export const works = (sql: Sql) => sql`
  last_fetched_at = now(), fetch_error = null, fetch_failures = 0, failing_since = null`

/** After a fetch by hand, what had been put off because of failures is planned anew; other plans stand. */
export const replanned = (sql: Sql) => sql`case when known.fetch_failures = 0 then known.next_fetch_at end`

/** All that a scheduled fetch leaves at a channel when it worked. */
export const remembered = (sql: Sql, { known, next_fetch_at }: Visit) => sql`
  etag          = ${known.etag},
  last_modified = ${known.last_modified},
  body_hash     = ${known.body_hash},
  every_minutes = ${known.every_minutes},
  next_fetch_at = ${next_fetch_at}`

/**
 * What a visit could not read. A feed without entries is worth a word only where there were some before.
 */
export const leftOut = (sql: Sql, { user_id, channel_id }: Follower, { skipped = 0, warning = null }: LeftOut) => sql`
  skipped      = ${skipped},
  feed_warning = case
                   when ${skipped}::int > 0 or exists (
                     select from video_entries
                     where  (user_id, channel_id) = (${user_id}, ${channel_id})) then ${warning}::text
                 end`

export type LeftOut = { skipped?: number | undefined; warning?: string | null | undefined }
