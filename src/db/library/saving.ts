/** The one statement that saves a feed: the channel's row and its entries, both or neither. */
import { jsonOf } from '../../runtime/pieces.ts'
import type { FeedEntry, Saved } from '../../schema/feed.ts'
import type { Follower } from '../../schema/jobs.ts'
import type { Queryable, Sql } from '../postgres/client.ts'
import { identified } from './naming.ts'

/** `max_videos`: per person, over all channels; 0: no limit. */
export type LimitedChannel = Follower & { max_videos: number }

/**
 * `channel` is the statement that writes the channel's row and returns `created`. If it writes none, no entry is saved either, and
 * the result is `undefined`. Unchanged entries are not written. New videos beyond `max_videos` are left out, the oldest first.
 * `within`: wraps the save, for example in a transaction.
 */
export async function saveEntries(
  sql: Sql,
  whose: LimitedChannel,
  entries: FeedEntry[],
  channel: ReturnType<Sql>,
  within: (saving: Saving) => Promise<SaveResult | undefined> = saving => saving(sql),
): Promise<SaveResult | undefined> {
  const rows = await jsonOf(entries, asRow)
  return within(on => save(sql, whose, rows, channel, on)).catch((fault: unknown) => {
    // Another save has just added a video with the same guid under another address; this time it is visible.
    if (!isDuplicate(fault)) throw fault
    return within(on => save(sql, whose, rows, channel, on))
  })
}

type Saving = (on: Queryable) => Promise<SaveResult | undefined>
/**
 * `left_out`: how many new videos exceeded the limit. `renamed`: from the id of an entry to the id under which its video is stored,
 * where the two differ.
 */
export type SaveResult = { created: boolean; saved: Saved; left_out: number; renamed: Record<string, string> }

/** By its code, because each partition of a table names its unique index in its own way. */
const isDuplicate = (fault: unknown) => fault instanceof Error && 'code' in fault && fault.code === unique_violation
const unique_violation = '23505'

async function save(
  sql: Sql,
  { user_id, channel_id, max_videos }: LimitedChannel,
  rows: string,
  channel: ReturnType<Sql>,
  on: Queryable = sql,
): Promise<SaveResult | undefined> {
  const mine = sql`user_id = ${user_id}`
  // An entry without a title has its identifier as title; the title that the video had is better.
  const titleOrKnown = sql`
    case when excluded.title = excluded.video_id then known.title else excluded.title end`
  const [result] = await on<
    (Saved & { created: boolean | null; left_out: number; renamed: Record<string, string> | null })[]
  >`
    with channel as (${channel}),
    listed as (
      select *, coalesce(given_address_id, video_id) as address_id
      from   json_to_recordset(${rows}::text::json) as entry (
               video_id text, video_url text, title text, thumbnail_url text, description text, published_at timestamptz,
               guid text, given_address_id text, spare_id text, former_id text)
    ),
    given as (${identified(sql, { user_id, channel_id })}),
    fitting as (${fitting(sql, { user_id, channel_id, max_videos })}),
    saved as (
      insert into video_entries as known (
        user_id, channel_id, video_id, video_url, title, thumbnail_url, description, published_at, guid, moved_id,
        ${copiedColumns(sql)})
      select   ${user_id}, ${channel_id}, given.video_id, given.video_url, given.title, given.thumbnail_url,
               given.description, given.published_at, given.guid, given.moved_id, ${copiedFromTwin(sql)}
      from     fitting given
      left join lateral (
        select *
        from   video_entries
        where  ${mine} and video_id = given.video_id
        limit  1
      ) twin on true
      where    exists (select from channel)
      order by given.video_id
      on conflict on constraint video_entries_video_key do update
      set    video_url     = excluded.video_url,
             title         = ${titleOrKnown},
             thumbnail_url = coalesce(excluded.thumbnail_url, known.thumbnail_url),
             description   = coalesce(excluded.description, known.description),
             published_at  = coalesce(excluded.published_at, known.published_at),
             guid          = coalesce(excluded.guid, known.guid),
             moved_id      = excluded.moved_id
      where  (known.video_url, known.title, known.thumbnail_url, known.description, known.published_at, known.guid,
              known.moved_id)
             is distinct from
             (excluded.video_url, ${titleOrKnown},
              coalesce(excluded.thumbnail_url, known.thumbnail_url),
              coalesce(excluded.description, known.description),
              coalesce(excluded.published_at, known.published_at),
              coalesce(excluded.guid, known.guid),
              excluded.moved_id)
      returning first_seen_at = now() as inserted
    )
    select (select created from channel)                    as created,
           count(*) filter (where inserted)                 as inserted,
           count(*) filter (where not inserted)             as updated,
           (select count(*) from fitting) - count(*)        as unchanged,
           (select count(*) from given) - (select count(*) from fitting) as left_out,
           (select json_object_agg(listed_id, video_id)
            from   fitting
            where  listed_id <> video_id)                   as renamed
    from   saved`
  if (!result || result.created === null) return undefined
  const { created, left_out, renamed, ...saved } = result
  return { created, saved, left_out, renamed: renamed ?? {} }
}

/** All known videos, and as many of the newest new ones as `max_videos` allows. The count runs only if there are new ones. */
const fitting = (sql: Sql, { user_id, channel_id, max_videos }: LimitedChannel) =>
  max_videos === 0
    ? sql`select * from given`
    : sql`
        with known as (
          select video_id
          from   video_entries
          where  user_id = ${user_id} and channel_id = ${channel_id}
        )
        select *
        from   given
        where  video_id in (select video_id from known)
        or     video_id in (
                 select   video_id
                 from     given
                 where    video_id not in (select video_id from known)
                 order by published_at desc nulls last
                 limit    (select greatest(0, ${max_videos} - count(*)) from video_entries where user_id = ${user_id})
               )`

const asRow = ({ published_at, aliases = {}, ...entry }: FeedEntry) => ({
  ...entry,
  given_address_id: aliases.address_id,
  spare_id: aliases.spare_id,
  former_id: aliases.former_id,
  published_at: published_at?.toISOString() ?? null,
})

/** A video may be in several channels of a user. It has one download, so a new row copies the columns of the existing one. */
const copiedColumns = (sql: Sql) => sql`
  download_status, download_path, download_started_at, download_completed_at, download_error, file_size, download_requested_at,
  download_attempts, download_next_attempt_at, download_claim, download_heartbeat_at, download_progress, download_asked_by,
  pinned, subtitles`

const copiedFromTwin = (sql: Sql) => sql`
  coalesce(twin.download_status, 'PENDING'), twin.download_path, twin.download_started_at, twin.download_completed_at,
  twin.download_error, twin.file_size, twin.download_requested_at, coalesce(twin.download_attempts, 0),
  twin.download_next_attempt_at, twin.download_claim, twin.download_heartbeat_at, twin.download_progress,
  twin.download_asked_by, coalesce(twin.pinned, false), coalesce(twin.subtitles, '{}')`
