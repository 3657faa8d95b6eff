/** The one statement that saves a feed: the channel's row and its entries, together or not at all. */
import type { FeedEntry, Saved } from '../schema/feed.ts'
import type { UserId } from '../schema/user.ts'
import type { Sql } from './client.ts'

type Whose = { user_id: UserId; channel_id: string }

/**
 * `channel` writes the channel's row and returns it as `created`; when it writes none, no entry is saved either and the
 * answer is `undefined`. An entry that is as it was is not written.
 */
export const saveEntries = (
  sql: Sql,
  whose: Whose,
  entries: FeedEntry[],
  channel: ReturnType<Sql>,
): Promise<Outcome | undefined> =>
  save(sql, whose, entries, channel).catch((fault: unknown) => {
    // Somebody else has just brought the same video, under another address; now it is seen.
    if (!isOf(fault, 'video_entries_guid_key')) throw fault
    return save(sql, whose, entries, channel)
  })

type Outcome = { created: boolean; saved: Saved }

const isOf = (fault: unknown, constraint: string) =>
  fault instanceof Error && 'constraint_name' in fault && fault.constraint_name === constraint

async function save(
  sql: Sql,
  { user_id, channel_id }: Whose,
  entries: FeedEntry[],
  channel: ReturnType<Sql>,
): Promise<Outcome | undefined> {
  const mine = sql`user_id = ${user_id}`
  const [outcome] = await sql<(Saved & { created: boolean | null })[]>`
    with channel as (${channel}),
    listed as (
      select *
      from   json_to_recordset(${sql.json(entries.map(asRow))}::json) as entry (
               video_id text, video_url text, title text, thumbnail_url text, description text, published_at timestamptz,
               guid text)
    ),
    given as (${named(sql, { user_id, channel_id })}),
    saved as (
      insert into video_entries as known (
        user_id, channel_id, video_id, video_url, title, thumbnail_url, description, published_at, guid, moved_id,
        ${downloadColumns(sql)})
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
             published_at  = coalesce(excluded.published_at, known.published_at),
             guid          = coalesce(excluded.guid, known.guid),
             moved_id      = excluded.moved_id
      where  (known.video_url, known.title, known.thumbnail_url, known.description, known.published_at, known.guid,
              known.moved_id)
             is distinct from
             (excluded.video_url, excluded.title,
              coalesce(excluded.thumbnail_url, known.thumbnail_url),
              coalesce(excluded.description, known.description),
              coalesce(excluded.published_at, known.published_at),
              coalesce(excluded.guid, known.guid),
              excluded.moved_id)
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

/**
 * The entries under the identifiers they are known by. One at a new address may be a known video that has moved: the feed
 * calls it as before, nothing else in the feed is that video by its address, and its title or its date is the same.
 * Without these, feeds that number their entries anew each time would turn one video into the next.
 */
const named = (sql: Sql, { user_id, channel_id }: Whose) => sql`
  select   distinct on (1)
           coalesce(elsewhere.video_id, here.video_id, called.video_id, listed.video_id) as video_id,
           listed.video_url, listed.title, listed.thumbnail_url, listed.description, listed.published_at,
           -- Another video's already; then this one has none.
           case when holder.video_id <> coalesce(elsewhere.video_id, here.video_id, called.video_id, listed.video_id)
                then null else listed.guid end as guid,
           case when coalesce(elsewhere.video_id, here.video_id, called.video_id) <> listed.video_id
                then listed.video_id end as moved_id
  from     listed
  left join video_entries elsewhere
  on       (elsewhere.user_id, elsewhere.channel_id, elsewhere.moved_id) = (${user_id}, ${channel_id}, listed.video_id)
  left join video_entries here
  on       (here.user_id, here.channel_id, here.video_id) = (${user_id}, ${channel_id}, listed.video_id)
  left join video_entries holder
  on       (holder.user_id, holder.channel_id, holder.guid) = (${user_id}, ${channel_id}, listed.guid)
  left join lateral (
    select holder.video_id
    where  here.video_id is null and elsewhere.video_id is null
    and    holder.video_id not in (select video_id from listed)
    and    coalesce(holder.moved_id not in (select video_id from listed), true)
    and    (holder.title = listed.title or holder.published_at = listed.published_at)
  ) called on true
  order by 1, elsewhere.video_id, here.video_id`

const asRow = ({ published_at, ...entry }: FeedEntry) => ({
  ...entry,
  published_at: published_at?.toISOString() ?? null,
})

/** A video that another channel of the same user brought before keeps its one download: both rows say the same. */
const downloadColumns = (sql: Sql) => sql`
  download_status, download_path, download_started_at, download_completed_at, download_error, file_size, download_requested_at,
  download_attempts, download_next_attempt_at, download_claim, download_heartbeat_at, download_progress, download_asked_by,
  pinned, subtitles`

const twinsDownload = (sql: Sql) => sql`
  coalesce(twin.download_status, 'PENDING'), twin.download_path, twin.download_started_at, twin.download_completed_at,
  twin.download_error, twin.file_size, twin.download_requested_at, coalesce(twin.download_attempts, 0),
  twin.download_next_attempt_at, twin.download_claim, twin.download_heartbeat_at, twin.download_progress,
  twin.download_asked_by, coalesce(twin.pinned, false), coalesce(twin.subtitles, '{}')`
