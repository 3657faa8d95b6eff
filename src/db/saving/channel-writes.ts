/** What a save writes to the rows of channels: parts of the statement in `save-statement.ts`, and why not all new videos fit. */
import { jsonText } from '../../runtime/json.ts'
import type { Follower } from '../../schema/service/jobs.ts'
import type { Feed } from '../../schema/sources/feed.ts'
import { user_limits } from '../../schema/values/user.ts'
import type { Piece, Sql } from '../postgres/client.ts'
import { type FeedFaults, type FeedFetchState, fetchFailed, fetchWorked, replanned } from '../rows/channel-columns.ts'

/**
 * A feed as `saving.ts` passes it to the database, without its entries. `rss_url`: for an update, only channels with this address; null:
 * any. `is_scheduled`: the fields of the fetch state are written. `skipped`: entries that could not be read. `list_at`: when the listing is
 * read next. `list_since`: the date from which it is read. `is_read`: the listing was read to its end. `every_minutes`: between two
 * fetches.
 */
export type FeedRow = Pick<Feed, 'title'> & {
  list_at?: Date | null
  list_since?: Date | null
  is_read?: boolean
  image_url: string | null
  page_url: string | null
  rss_url: string | null
  skipped: number
  warning: string | null
  is_scheduled: boolean
  etag?: string | null
  last_modified?: string | null
  body_hash?: string | null
  every_minutes?: number | null
  next_fetch_at?: Date
}

/** `state`: given by a scheduled fetch, absent for a refresh by hand. */
export const feedRowOf = (
  { title, image_url, page_url, skipped, warning }: Pick<Feed, 'title' | 'image_url' | 'page_url'> & FeedFaults,
  state?: FeedFetchState,
): FeedRow => ({
  title,
  image_url: image_url ?? null,
  page_url: page_url ?? null,
  skipped: skipped ?? 0,
  warning: warning ?? null,
  rss_url: state?.rss_url ?? null,
  is_scheduled: state !== undefined,
  ...state?.known,
  ...(state && { next_fetch_at: state.next_fetch_at }),
})

/**
 * Follows each target's channel; updates one that is followed already. One that had only videos added by their address is followed
 * from now on. Sorted, so that two such saves do not lock each other out.
 */
export const followChannels = (sql: Sql): Piece => sql`
  insert into channels as known (
    user_id, channel_id, title, rss_url, image_url, page_url, last_fetched_at, skipped, feed_warning)
  select target.user_id, target.channel_id, feed.title, feed.rss_url, feed.image_url, feed.page_url, now(), feed.skipped,
         ${warning(sql)}
  from   target
  join   feed using (feed)
  order by target.user_id, target.channel_id
  on conflict on constraint channels_user_channel_key do update
  set    title = excluded.title, image_url = coalesce(excluded.image_url, known.image_url),
         page_url = coalesce(excluded.page_url, known.page_url), ${fetchWorked(sql, 'known')},
         skipped = excluded.skipped, feed_warning = excluded.feed_warning, next_fetch_at = ${replanned(sql)},
         rss_url = coalesce(known.rss_url, excluded.rss_url),
         created_at = case when known.rss_url is null then now() else known.created_at end,
         imported_at = case when known.rss_url is not null then known.imported_at end
  returning known.user_id, known.channel_id, known.created_at = now() as created`

/** Updates followed channels. One that is no longer followed, or by another feed, is left out. */
export const updateFollowed = (sql: Sql): Piece => sql`
  update channels known
  set    title = feed.title, image_url = coalesce(feed.image_url, known.image_url),
         page_url = coalesce(feed.page_url, known.page_url), ${fetchWorked(sql, 'known')},
         skipped = feed.skipped, feed_warning = ${warning(sql)},
         etag          = case when feed.is_scheduled then feed.etag          else known.etag end,
         last_modified = case when feed.is_scheduled then feed.last_modified else known.last_modified end,
         body_hash     = case when feed.is_scheduled then feed.body_hash     else known.body_hash end,
         every_minutes = case when feed.is_scheduled then feed.every_minutes else known.every_minutes end,
         next_fetch_at = case when feed.is_scheduled then feed.next_fetch_at else ${replanned(sql)} end
  from   target
  join   feed using (feed)
  where  (known.user_id, known.channel_id) = (target.user_id, target.channel_id)
  -- A channel that is not followed has no rss_url, so it is left out.
  and    known.rss_url = coalesce(feed.rss_url, known.rss_url)
  returning known.user_id, known.channel_id, false as created`

/** Adds channels that a person does not have, without following them, and fills in what is missing of the others. */
export const addUnfollowed = (sql: Sql): Piece => sql`
  insert into channels as known (user_id, channel_id, title, image_url, page_url)
  select target.user_id, target.channel_id, feed.title, feed.image_url, feed.page_url
  from   target
  join   feed using (feed)
  order by target.user_id, target.channel_id
  on conflict on constraint channels_user_channel_key do update
  set    image_url = coalesce(known.image_url, excluded.image_url), page_url = coalesce(known.page_url, excluded.page_url)
  returning known.user_id, known.channel_id, known.created_at = now() as created`

/** Fills in what is missing of channels that a person has, followed or not. Of others nothing is saved. */
export const fillChannels = (sql: Sql): Piece => sql`
  update channels known
  set    image_url = coalesce(known.image_url, feed.image_url), page_url = coalesce(known.page_url, feed.page_url)
  from   target
  join   feed using (feed)
  where  (known.user_id, known.channel_id) = (target.user_id, target.channel_id)
  returning known.user_id, known.channel_id, false as created`

/** Records that the listing of a feed was read in its place, at channels that still follow the feed. */
export const recordListings = (sql: Sql): Piece => sql`
  update channels known
  set    list_at = feed.list_at, list_since = feed.list_since,
         listed_at = case when feed.is_read then now() else known.listed_at end
  from   target
  join   feed using (feed)
  where  (known.user_id, known.channel_id) = (target.user_id, target.channel_id)
  and    known.rss_url = feed.rss_url
  returning known.user_id, known.channel_id, false as created`

/** The warning of a feed without entries is stored only if the channel had entries before. */
const warning = (sql: Sql) => sql`
  case
    when feed.skipped > 0 or (
      select true
      from   video_entries entry
      where  (entry.user_id, entry.channel_id) = (target.user_id, target.channel_id)
      limit  1) then feed.warning
  end`

/**
 * Records at channels how many new videos were not kept. Deletes the fetch state, so that the next fetch reads the feed even if it has
 * not changed: there may be room by then.
 */
export async function recordNoRoom(sql: Sql, results: (Follower & { left_out: number })[]): Promise<void> {
  const full = results.flatMap(({ user_id, channel_id, left_out }) =>
    left_out > 0 ? [{ user_id, channel_id, fetch_error: noRoomSentence(left_out) }] : [],
  )
  if (full.length === 0) return
  await sql`
    update channels known
    set    ${fetchFailed(sql, sql`given.fetch_error`)}, etag = null, last_modified = null, body_hash = null
    from   json_to_recordset(${jsonText(full)}::text::json) as given (user_id uuid, channel_id text, fetch_error text)
    where  (known.user_id, known.channel_id) = (given.user_id, given.channel_id)`
}

const noRoomSentence = (left_out: number) =>
  `${left_out === 1 ? '1 new video of this channel is' : `${left_out} new videos of this channel are`} not kept, because you ` +
  `have ${user_limits.videos} videos, the most that one person may have here. Unfollow a channel, then refresh this one.`
