/** What a channel stores about the fetches of its feed: parts of queries for other files. */
import type { Known } from '../../schema/sources/feed.ts'
import type { Queryable, Sql } from '../postgres/client.ts'
import { feedsAt, pausedForEveryoneUntil } from '../queue/host-pauses.ts'

/** What the next scheduled fetch of a feed needs to know about this one. */
type FetchState = { known: Known; next_fetch_at: Date }
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

/** The `next_fetch_at` after a successful refresh by hand: a normal plan stays; a plan that failures postponed is cleared. */
export const replanned = (sql: Sql) => sql`case when known.fetch_failures = 0 then known.next_fetch_at end`

/** `skipped`: how many entries could not be read. `warning`: what is wrong with the feed, as a sentence. */
export type FeedFaults = { skipped?: number | undefined; warning?: string | null | undefined }
