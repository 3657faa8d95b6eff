/**
 * Stores what is found out about videos for all people who have them. The source of truth is the site of a video's own address, so a
 * result reaches only rows with that address.
 */
import { jsonText } from '../../../runtime/json.ts'
import type { DownloadJob, Follower } from '../../../schema/service/jobs.ts'
import type { Availability, Facts } from '../../../schema/sources/facts.ts'
import type { Everyone } from '../../everyone.ts'
import type { Piece, Sql } from '../../postgres/client.ts'

/**
 * What is found out about one video. `by`: a look also counts where it says nothing, a listing leaves out much, and a look that failed
 * says nothing but what its failure says. `plan`: the next look; absent: an earlier plan stays.
 */
export type FoundVideo = Facts & {
  video_id: string
  /** The address that was requested, or by which a list of its own site names the video. */
  video_url: string
  published_at: Date | null
  /** When an announced video begins, which is its date until then; null or absent: unknown. */
  starts_at?: Date | null
  by: 'look' | 'listing' | 'failure'
  plan?: { look_at: Date | null; looks: number } | undefined
}

/** `has_rule`: videos of the channel download automatically. */
export type ChangedVideo = Follower & { video_id: string; has_rule: boolean }

/** One statement stores this many videos, so that it locks the rows of 200 people for less than a second. */
const at_once = 10

/**
 * `rss_url`: the feed that the videos belong to; null: none. `oneAddressOf`: the same for all addresses of one video; an address of a
 * person's row may look like that of a video without being it.
 */
type ToStore = { rss_url: string | null; found: FoundVideo[]; oneAddressOf(video_url: string): string }

/**
 * Stores the facts of videos for all who follow the feed, and for all who have planned a look at the same video. Returns the changed
 * ones.
 */
export async function storeFacts(sql: Everyone, { found, ...to_store }: ToStore): Promise<ChangedVideo[]> {
  const changed: ChangedVideo[] = []
  for (let at = 0; at < found.length; at += at_once)
    changed.push(...(await storePart(sql, { ...to_store, found: found.slice(at, at + at_once) })))
  return changed
}

type Spelling = Pick<FoundVideo, 'video_id' | 'video_url'>

/** The addresses, as people's rows have them, of the videos that were found. */
async function spellingsOf(sql: Sql, { rss_url, found, oneAddressOf }: ToStore): Promise<Spelling[]> {
  const video_ids = found.map(({ video_id }) => video_id)
  const spellings = await sql<Spelling[]>`
    select entry.video_id, entry.video_url
    from   channels follower
    join   video_entries entry using (user_id, channel_id)
    where  follower.rss_url = ${rss_url} and entry.video_id = any(${video_ids})
    union
    select entry.video_id, entry.video_url
    from   video_entries entry
    where  entry.look_at is not null and entry.video_id = any(${video_ids})`
  const address_of = new Map(found.map(({ video_id, video_url }) => [video_id, oneAddressOf(video_url)]))
  return spellings.filter(({ video_id, video_url }) => oneAddressOf(video_url) === address_of.get(video_id))
}

async function storePart(sql: Sql, to_store: ToStore): Promise<ChangedVideo[]> {
  const { rss_url, found } = to_store
  const spellings = await spellingsOf(sql, to_store)
  const rows = found.map(({ plan, ...video }) => ({ ...video, is_planned: plan !== undefined, ...plan }))
  return sql<ChangedVideo[]>`
    with found as materialized (
      select *
      from   json_to_recordset(${jsonText(rows)}::text::json) as found (
               video_id text, duration_seconds int, live_status text, availability text, published_at timestamptz,
               published_precision text, starts_at timestamptz, by text, is_planned boolean, look_at timestamptz, looks int)
    ),
    spelling as materialized (
      select *
      from   json_to_recordset(${jsonText(spellings)}::text::json) as spelling (video_id text, video_url text)
    ),
    owned as (
      select entry.user_id, entry.id
      from   channels follower
      cross join spelling
      join   video_entries entry on (entry.user_id, entry.channel_id, entry.video_id)
                                  = (follower.user_id, follower.channel_id, spelling.video_id)
      where  follower.rss_url = ${rss_url} and entry.video_url = spelling.video_url
      union
      select entry.user_id, entry.id
      from   spelling
      join   video_entries entry using (video_id, video_url)
      where  entry.look_at is not null
    ),
    locked as materialized (
      select   user_id, channel_id, id
      from     video_entries
      where    (user_id, id) in (select user_id, id from owned)
      -- In the order of moves.ts, so that no two statements wait for each other.
      order by user_id, video_id, id
      for update
    ),
    rule as materialized (${lockedRules(sql, sql`locked`)}),
    stored as (
      update video_entries entry
      set    duration_seconds    = coalesce(found.duration_seconds, entry.duration_seconds),
             live_status         = coalesce(found.live_status, entry.live_status),
             availability        = ${availability(sql)},
             published_at        = case when found.starts_at is not null then found.starts_at
                                        when ${hasBetterDate(sql)} then found.published_at
                                        else entry.published_at end,
             published_precision = case when found.starts_at is not null then 'exact'
                                        when ${hasBetterDate(sql)} then found.published_precision
                                        else entry.published_precision end,
             look_at             = ${lookAt(sql)},
             looks               = case when found.is_planned and entry.look_at is not null then found.looks else entry.looks end,
             looked_at           = case when found.by <> 'listing' then now() else entry.looked_at end
      from   locked, found
      where  (entry.user_id, entry.id) = (locked.user_id, locked.id) and found.video_id = entry.video_id
      and    (found.by <> 'listing' or found.is_planned and entry.look_at is not null
              or ${hasBetterDate(sql)}
              or (entry.duration_seconds, entry.live_status, entry.availability, entry.look_at)
                 is distinct from
                 (coalesce(found.duration_seconds, entry.duration_seconds), coalesce(found.live_status, entry.live_status),
                  ${availability(sql)}, ${lookAt(sql)}))
      returning entry.user_id, entry.channel_id, entry.video_id
    )
    select stored.*, rule.user_id is not null as has_rule
    from   stored
    left join rule using (user_id, channel_id)`
}

/**
 * A part of queries: the rules, which are on, of the channels in `videos`. A trigger records a changed video at its rule, in the order in
 * which the planner updates the videos. So the rules are locked before, in the order of a save, which would otherwise wait in a circle.
 */
const lockedRules = (sql: Sql, videos: Piece): Piece => sql`
  select   user_id, channel_id
  from     channel_rules
  where    (user_id, channel_id) in (select user_id, channel_id from ${videos}) and on_since is not null
  order by user_id, channel_id
  for no key update`

/** A video that its own page or a listing shows is neither removed nor private. Only its own page shows that it has opened to all. */
const availability = (sql: Sql) => sql`
  case when found.availability is not null then found.availability
       when found.by = 'failure' then entry.availability
       when entry.availability in ('removed', 'private') then null
       when entry.availability = 'members_only' and found.by = 'look' then null
       else entry.availability end`

/** A listing marks videos for members, so one without the mark may have opened: its own page tells. */
const lookAt = (sql: Sql) => sql`
  case when found.is_planned and entry.look_at is not null then found.look_at
       when found.by = 'listing' and entry.availability = 'members_only' and found.availability is null
            and found.duration_seconds is not null then now()
       else entry.look_at end`

/** The later word in the alphabet is the better date: approximate, day, exact. */
const hasBetterDate = (sql: Sql) => sql`
  (found.published_at is not null
   and (entry.published_at is null or found.published_precision > entry.published_precision))`

/**
 * A person's download failed because its video is closed: recorded for all who follow the same feed and have the video under the same
 * address. The answer was the site's own, about its own page, so it does not depend on the person who requested it.
 */
export async function recordClosedVideo(
  sql: Everyone,
  { user_id, video_id }: DownloadJob,
  availability: Availability,
): Promise<void> {
  await sql`
    with own as (
      select rss_url, video_id, video_url
      from   video_entries
      join   channels using (user_id, channel_id)
      where  user_id = ${user_id} and video_id = ${video_id} and rss_url is not null
    ),
    closed as materialized (
      select   entry.user_id, entry.channel_id, entry.id
      from     own
      join     channels follower using (rss_url)
      join     video_entries entry on (entry.user_id, entry.channel_id, entry.video_id)
                                    = (follower.user_id, follower.channel_id, own.video_id)
      where    entry.video_url = own.video_url and entry.availability is distinct from ${availability}
      -- In the order of moves.ts, so that no two statements wait for each other.
      order by entry.user_id, entry.video_id, entry.id
      for update of entry
    ),
    stored as (
      update video_entries entry
      set    availability = ${availability}
      from   closed
      where  (entry.user_id, entry.id) = (closed.user_id, closed.id)
    )
    ${lockedRules(sql, sql`closed`)}`
}
