/** The columns of a stored video that a save writes: how an entry changes them, and what a new row copies from another row. */
import type { Piece, Queryable, Sql } from '../postgres/client.ts'

/**
 * What a save does with a known video. `replace`: the texts of a feed replace the stored ones. `fill`: a listing adds only what is
 * missing, because its texts may be shortened or translated.
 */
export type Merge = 'replace' | 'fill'

/** What `known`, a stored video, becomes by `excluded`, an entry. What the entry leaves out stays. */
function merged(sql: Sql, merge: Merge) {
  const has_date = sql`(excluded.published_at is not null and not ${isAnnouncement(sql)})`
  return {
    ...(merge === 'replace' ? replaced(sql) : filled(sql)),
    // The later word in the alphabet is the better date: approximate, day, exact.
    has_better_date:
      merge === 'replace'
        ? sql`(${has_date} and (known.published_at is null or excluded.published_precision >= known.published_precision))`
        : sql`(${has_date} and (known.published_at is null or excluded.published_precision > known.published_precision))`,
    duration_seconds: sql`coalesce(excluded.duration_seconds, known.duration_seconds)`,
    live_status: sql`coalesce(excluded.live_status, known.live_status)`,
    availability: sql`coalesce(excluded.availability, known.availability)`,
    // A feed that lists an older video makes it an ordinary one. A video that a person added stays one.
    source: sql`
      case when known.source = 'listing' or excluded.source = 'address' then excluded.source else known.source end`,
  }
}

/** The date of an announced video is the time at which it begins, as a look found out. Its feed gives the day of the announcement. */
const isAnnouncement = (sql: Sql) => sql`
  coalesce(coalesce(excluded.live_status, known.live_status) = 'upcoming'
           and known.published_at > now() and excluded.published_at <= now(), false)`

const replaced = (sql: Sql) => ({
  video_url: sql`excluded.video_url`,
  // An entry without a title has its identifier as title; the title that the video had is better.
  title: sql`case when excluded.title = excluded.video_id then known.title else excluded.title end`,
  thumbnail_url: sql`coalesce(excluded.thumbnail_url, known.thumbnail_url)`,
  description: sql`coalesce(excluded.description, known.description)`,
  guid: sql`coalesce(excluded.guid, known.guid)`,
  moved_id: sql`excluded.moved_id`,
})

const filled = (sql: Sql) => ({
  video_url: sql`known.video_url`,
  title: sql`case when known.title = excluded.video_id then excluded.title else known.title end`,
  thumbnail_url: sql`coalesce(known.thumbnail_url, excluded.thumbnail_url)`,
  description: sql`coalesce(known.description, excluded.description)`,
  guid: sql`known.guid`,
  moved_id: sql`known.moved_id`,
})

export function mergedColumns(sql: Sql, merge: Merge): Piece {
  const { has_better_date, ...to } = merged(sql, merge)
  return sql`
    video_url           = ${to.video_url},
    title               = ${to.title},
    thumbnail_url       = ${to.thumbnail_url},
    description         = ${to.description},
    guid                = ${to.guid},
    moved_id            = ${to.moved_id},
    published_at        = case when ${has_better_date} then excluded.published_at else known.published_at end,
    published_precision = case when ${has_better_date} then excluded.published_precision else known.published_precision end,
    duration_seconds    = ${to.duration_seconds},
    live_status         = ${to.live_status},
    availability        = ${to.availability},
    source              = ${to.source}`
}

/** Whether `mergedColumns` would change anything. */
export function isChanged(sql: Sql, merge: Merge): Piece {
  const { has_better_date, ...to } = merged(sql, merge)
  return sql`(
    (known.video_url, known.title, known.thumbnail_url, known.description, known.guid, known.moved_id,
     known.duration_seconds, known.live_status, known.availability, known.source)
    is distinct from
    (${to.video_url}, ${to.title}, ${to.thumbnail_url}, ${to.description}, ${to.guid}, ${to.moved_id},
     ${to.duration_seconds}, ${to.live_status}, ${to.availability}, ${to.source})
    or ${has_better_date} and (known.published_at, known.published_precision)
       is distinct from (excluded.published_at, excluded.published_precision))`
}

/** A video may be in several channels of a user. It has one download, so a new row copies the columns of the existing one. */
export const copiedColumns = (sql: Queryable) => sql`
  download_status, download_path, download_started_at, download_completed_at, download_error, file_size, download_requested_at,
  download_attempts, download_next_attempt_at, download_claim, download_heartbeat_at, download_progress, download_asked_by,
  pinned, subtitles, download_quality, address_hash, words_hash, site_facts, chapters, download_copied`

export const copiedFromTwin = (sql: Sql) => sql`
  coalesce(twin.download_status, 'PENDING'), twin.download_path, twin.download_started_at, twin.download_completed_at,
  twin.download_error, twin.file_size, twin.download_requested_at, coalesce(twin.download_attempts, 0),
  twin.download_next_attempt_at, twin.download_claim, twin.download_heartbeat_at, twin.download_progress,
  twin.download_asked_by, coalesce(twin.pinned, false), coalesce(twin.subtitles, '{}'), twin.download_quality,
  twin.address_hash, twin.words_hash, twin.site_facts, twin.chapters, coalesce(twin.download_copied, false)`
