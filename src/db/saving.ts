/** The one statement that saves a feed: the channel's row and its entries, together or not at all. */
import type { FeedEntry, Saved } from '../schema/feed.ts'
import type { UserId } from '../schema/user.ts'
import type { Sql } from './client.ts'

type Whose = { user_id: UserId; channel_id: string }

/**
 * `channel` writes the channel's row and returns it as `created`; when it writes none, no entry is saved either and the
 * answer is `undefined`. An entry that is as it was is not written.
 */
export async function saveEntries(
  sql: Sql,
  { user_id, channel_id }: Whose,
  entries: FeedEntry[],
  channel: ReturnType<Sql>,
): Promise<{ created: boolean; saved: Saved } | undefined> {
  const mine = sql`user_id = ${user_id}`
  const [outcome] = await sql<(Saved & { created: boolean | null })[]>`
    with channel as (${channel}),
    given as (
      select *
      from   json_to_recordset(${sql.json(entries.map(asRow))}::json) as entry (
               video_id text, video_url text, title text, thumbnail_url text, description text, published_at timestamptz)
    ),
    saved as (
      insert into video_entries as known (
        user_id, channel_id, video_id, video_url, title, thumbnail_url, description, published_at, ${downloadColumns(sql)})
      select   ${user_id}, ${channel_id}, given.*, ${twinsDownload(sql)}
      from     given
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
             title         = excluded.title,
             thumbnail_url = coalesce(excluded.thumbnail_url, known.thumbnail_url),
             description   = coalesce(excluded.description, known.description),
             published_at  = coalesce(excluded.published_at, known.published_at)
      where  (known.video_url, known.title, known.thumbnail_url, known.description, known.published_at)
             is distinct from
             (excluded.video_url, excluded.title,
              coalesce(excluded.thumbnail_url, known.thumbnail_url),
              coalesce(excluded.description, known.description),
              coalesce(excluded.published_at, known.published_at))
      returning xmax = 0 as inserted
    )
    select (select created from channel)                    as created,
           count(*) filter (where inserted)                 as inserted,
           count(*) filter (where not inserted)             as updated,
           (select count(*) from given) - count(*)          as unchanged
    from   saved`
  if (!outcome || outcome.created === null) return undefined
  const { created, ...saved } = outcome
  return { created, saved }
}

const asRow = ({ published_at, ...entry }: FeedEntry) => ({
  ...entry,
  published_at: published_at?.toISOString() ?? null,
})

/** A video that another channel of the same user brought before keeps its one download: both rows say the same. */
const downloadColumns = (sql: Sql) => sql`
  download_status, download_path, download_started_at, download_completed_at, download_error, file_size, download_requested_at,
  download_attempts, download_next_attempt_at, download_claim, download_heartbeat_at, download_progress`

const twinsDownload = (sql: Sql) => sql`
  coalesce(twin.download_status, 'PENDING'), twin.download_path, twin.download_started_at, twin.download_completed_at,
  twin.download_error, twin.file_size, twin.download_requested_at, coalesce(twin.download_attempts, 0),
  twin.download_next_attempt_at, twin.download_claim, twin.download_heartbeat_at, twin.download_progress`
