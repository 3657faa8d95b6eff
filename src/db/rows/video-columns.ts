/** The columns of videos and downloads, and how a video that is in several channels is read once. */
import { max_attempts } from '../../schema/downloads/download.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Video } from '../../schema/videos/video.ts'
import { firstRow, type Piece, type Queryable, sharedPiece } from '../postgres/client.ts'
import { pictureUrl } from '../postgres/stored-pictures.ts'
import { type Unplaced, withPlaces } from '../queue/places.ts'
import { filmSize } from './sound-rows.ts'

/** The columns of `Download`, from a row named `entry`, but for what keeps a waiting download waiting: `withPlaces` reads that. */
export const downloadColumns = sharedPiece(
  sql => sql`
  entry.video_id,
  lower(entry.download_status::text) as download_status,
  entry.standing is not distinct from 'waiting' as queued,
  entry.download_progress as progress,
  entry.download_attempts as attempts,
  ${max_attempts}::int as max_attempts,
  entry.download_next_attempt_at as next_attempt_at,
  entry.download_path,
  entry.download_started_at,
  entry.download_completed_at,
  entry.download_error,
  entry.download_reason,
  entry.download_detail,
  entry.download_by_rule and entry.download_status <> 'COMPLETED' as keeps_trying,
  entry.download_paused_at as paused_at,
  case when entry.download_paused_at is not null then 'video' end as paused_by,
  ${filmSize(sql)} as file_size,
  entry.file_streams as file,
  entry.pinned,
  entry.availability`,
)

/** A number that differs when the columns of `Download` differ. It must name every column that they read; a test compares them. */
export const downloadHash = sharedPiece(
  sql => sql`
  hash_record_extended(row(
    entry.video_id,
    entry.user_id,
    entry.download_status,
    entry.standing,
    entry.download_progress,
    entry.download_attempts,
    entry.download_next_attempt_at,
    entry.download_path,
    entry.download_started_at,
    entry.download_completed_at,
    entry.download_error,
    entry.download_reason,
    entry.download_detail,
    entry.download_by_rule,
    entry.download_paused_at,
    entry.file_size,
    entry.file_streams,
    entry.pinned,
    entry.availability), 0)`,
)

/** The columns of `ListedVideo`, from rows named `entry`, `channel` and `viewing`. */
export const listedColumns = sharedPiece(
  sql => sql`
  ${downloadColumns(sql)},
  entry.channel_id,
  channel.title as channel_title,
  entry.title,
  entry.video_url,
  entry.thumbnail_url,
  ${pictureUrl(sql, 'video', sql`entry.thumbnail_url`)} as picture_url,
  entry.published_at,
  case when entry.published_at is not null then entry.published_precision end as published_precision,
  entry.live_status,
  entry.source,
  entry.first_seen_at,
  entry.subtitles,
  viewing.seen_at,
  case when viewing.forgotten_at is null then viewing.position_seconds end as position_seconds,
  case when viewing.not_for_me_at is null then viewing.later_at end as later_at,
  viewing.not_for_me_at as dismissed_at,
  coalesce(viewing.duration_seconds, entry.duration_seconds) as duration_seconds`,
)

/** The columns of `Video`, from the same rows. */
export const videoColumns = sharedPiece(
  sql => sql`
  ${listedColumns(sql)},
  entry.description`,
)

/** Joins the viewing of a row named `entry`. */
export const withViewing = sharedPiece(
  sql => sql`
  left join viewings viewing on viewing.user_id = entry.user_id and viewing.video_id = entry.video_id`,
)

/**
 * Joins the viewing of a row named `entry`, for the few rows of a page: `offset 0` makes Postgres look up the viewing of each, where a
 * join may read all viewings of the person.
 */
export const withViewingOfEach = sharedPiece(
  sql => sql`
  left join lateral (
    select seen_at, position_seconds, duration_seconds, later_at, not_for_me_at, forgotten_at
    from   viewings
    where  viewings.user_id = entry.user_id and viewings.video_id = entry.video_id
    offset 0) viewing on true`,
)

/**
 * Keeps one row of a video that is in several channels. `offset 0` makes Postgres look up each video: without statistics, a join may
 * compare all rows with all others.
 */
export const once = sharedPiece(
  sql => sql`
  not exists (
    select from video_entries twin
    where  twin.user_id = entry.user_id and twin.video_id = entry.video_id and twin.id < entry.id
    offset 0)`,
)

/**
 * A condition that Postgres expects to hold for half of the rows. Without statistics, Postgres expects `is null` to hold for one row in
 * 200, and then sorts all rows. Small tables have no statistics.
 */
export const likely = (sql: Queryable, condition: Piece): Piece => sql`case when ${condition} then true else false end`

/** The first row of a video, held: a channel that is being deleted is waited for, or what is inserted by this row would be left behind. */
export const heldRow = (sql: Queryable, user_id: UserId, video_id: string): Piece => sql`
  from     video_entries entry
  where    entry.user_id = ${user_id} and entry.video_id = ${video_id}
  order by entry.id
  limit    1
  for key share`

export async function findVideo(sql: Queryable, user_id: UserId, video_id: string): Promise<Video | undefined> {
  const rows = await sql<Unplaced<Video>[]>`
    select   ${videoColumns(sql)}
    from     video_entries entry
    join     channels channel using (user_id, channel_id)
    ${withViewing(sql)}
    where    entry.user_id = ${user_id} and entry.video_id = ${video_id}
    order by entry.id
    limit    1`
  return firstRow(withPlaces(sql, user_id, rows))
}
