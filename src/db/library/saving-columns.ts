/** The columns of a stored video that a save writes: how an entry changes them, and what a new row copies from another row. */
import type { Sql } from '../postgres/client.ts'

/** An entry without a title has its identifier as title; the title that the video had is better. */
const titleOrKnown = (sql: Sql) => sql`
  case when excluded.title = excluded.video_id then known.title else excluded.title end`

/** What `known`, a stored video, becomes by `excluded`, an entry of its feed. What the entry leaves out stays. */
export const mergedColumns = (sql: Sql) => sql`
  video_url     = excluded.video_url,
  title         = ${titleOrKnown(sql)},
  thumbnail_url = coalesce(excluded.thumbnail_url, known.thumbnail_url),
  description   = coalesce(excluded.description, known.description),
  published_at  = coalesce(excluded.published_at, known.published_at),
  guid          = coalesce(excluded.guid, known.guid),
  moved_id      = excluded.moved_id`

/** Whether `mergedColumns` would change anything. */
export const isChanged = (sql: Sql) => sql`
  (known.video_url, known.title, known.thumbnail_url, known.description, known.published_at, known.guid, known.moved_id)
  is distinct from
  (excluded.video_url, ${titleOrKnown(sql)},
   coalesce(excluded.thumbnail_url, known.thumbnail_url),
   coalesce(excluded.description, known.description),
   coalesce(excluded.published_at, known.published_at),
   coalesce(excluded.guid, known.guid),
   excluded.moved_id)`

/** A video may be in several channels of a user. It has one download, so a new row copies the columns of the existing one. */
export const copiedColumns = (sql: Sql) => sql`
  download_status, download_path, download_started_at, download_completed_at, download_error, file_size, download_requested_at,
  download_attempts, download_next_attempt_at, download_claim, download_heartbeat_at, download_progress, download_asked_by,
  pinned, subtitles`

export const copiedFromTwin = (sql: Sql) => sql`
  coalesce(twin.download_status, 'PENDING'), twin.download_path, twin.download_started_at, twin.download_completed_at,
  twin.download_error, twin.file_size, twin.download_requested_at, coalesce(twin.download_attempts, 0),
  twin.download_next_attempt_at, twin.download_claim, twin.download_heartbeat_at, twin.download_progress,
  twin.download_asked_by, coalesce(twin.pinned, false), coalesce(twin.subtitles, '{}')`
