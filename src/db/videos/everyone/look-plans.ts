/** Plans looks over all people: which hosts have something to look up, and which videos are due there. */
import { jsonText } from '../../../runtime/json.ts'
import type { DownloadJob } from '../../../schema/service/jobs.ts'
import type { Facts } from '../../../schema/sources/facts.ts'
import type { Everyone } from '../../everyone.ts'
import type { Piece, Queryable } from '../../postgres/client.ts'
import { type KnownHosts, queueAtHosts } from '../../queue/host-jobs.ts'
import { looks_prefix, pausedForEveryoneUntil, pausedUntil } from '../../queue/host-pauses.ts'
import { isLocked } from '../../queue/paused.ts'

/** The host of an address as `video_host` has it. */
export const siteAt = (sql: Queryable, url: Piece) => sql`
  substring(lower(${url}) from '^https?://(?:[^/?#\\\\]*@)?(?:www\\.|m\\.)?(\\[[^]/?#]*\\]|[^/?#:@\\\\]+)')`

/** Queues a job for each host that has due looks or listings, unless one waits or runs. Returns how many were queued. */
export async function queueLooks(sql: Everyone, known: KnownHosts): Promise<number> {
  const due = await sql<{ host: string; turn: number }[]>`
    -- One host after the other from the index, because a host may have any number of due videos.
    with recursive planned as (
      (select video_host as host from video_entries where look_at is not null order by video_host limit 1)
      union all
      select (select   video_host
              from     video_entries
              where    look_at is not null and video_host > planned.host
              order by video_host
              limit    1)
      from   planned
      where  planned.host is not null
    ),
    due as (
      select host, first.user_id, first.look_at as since
      from   planned
      cross join lateral (
        select   user_id, look_at
        from     video_entries
        where    video_host = planned.host and look_at <= now() and not ${isLocked(sql, sql`video_entries.user_id`)}
        order by look_at
        limit    1
      ) first
      union all
      select ${siteAt(sql, sql`rss_url`)}, user_id, list_at
      from   channels
      where  list_at <= now() and not ${isLocked(sql, sql`channels.user_id`)}
    )
    select   host, min(turn)::int as turn
    from     (select host, row_number() over (partition by user_id order by since, host) as turn from due) due
    where    host is not null and ${pausedForEveryoneUntil(sql, sql`due.host`)} is null
    group by host`
  return queueAtHosts(sql, 'looks', due, known)
}

/** A video that is due, as one person has it. `looks`: see the migration `videos`. */
export type DueVideo = DownloadJob &
  Pick<Facts, 'duration_seconds' | 'live_status' | 'availability'> & {
    video_url: string
    published_at: Date | null
    looks: number
    /** The feed of its channel; null: the channel is not followed. */
    rss_url: string | null
    /** The page that the feed itself names; null: none is known. */
    page_url: string | null
    /** Its download waits until it begins or ends, and then says so. */
    is_awaited: boolean
  }

/**
 * Of one of the people who have due looks at this host, so that no one waits behind another's thousands: new videos of channels whose
 * picture is unknown first, then the oldest plans. Chance decides whose turn it is. A person has no turn while their looks are paused
 * or the person is locked.
 */
export function dueLooks(sql: Everyone, host: string): Promise<DueVideo[]> {
  // The page that is read for a new video also gives the picture of its channel.
  const is_first_look = sql`(image_url is null and looks = 0)`
  return sql<DueVideo[]>`
    -- One person after the other from the index, because a person may have any number of due videos.
    with recursive planned as (
      (select user_id from video_entries where video_host = ${host} and look_at is not null order by user_id limit 1)
      union all
      select (select   user_id
              from     video_entries
              where    video_host = ${host} and look_at is not null and user_id > planned.user_id
              order by user_id
              limit    1)
      from   planned
      where  planned.user_id is not null
    ),
    turn as materialized (
      select   user_id
      from     planned
      where    exists (
                 select from video_entries entry
                 where  entry.video_host = ${host} and entry.user_id = planned.user_id and look_at <= now())
      and      ${pausedUntil(sql, sql`${looks_prefix + host}`, sql`planned.user_id`)} is null
      and      not ${isLocked(sql, sql`planned.user_id`)}
      order by random()
      limit    1
    )
    ${dueVideos(sql, host, is_first_look)}
    union all
    ${dueVideos(sql, host, sql`not ${is_first_look}`)}
    limit    ${most}`
}

const most = 100

/** Those that are due in this `turn`, the oldest plans first. Two parts instead of an order, so that each is read from the index. */
const dueVideos = (sql: Everyone, host: string, which: Piece) => sql`(
  select   user_id, video_id, video_url, published_at, duration_seconds, live_status, availability, looks, rss_url, feeds.page_url,
           standing = 'waiting' and download_reason in ('premiere', 'live', 'processing') is true as is_awaited
  from     turn
  join     video_entries entry using (user_id)
  join     channels using (user_id, channel_id)
  left join feeds using (rss_url)
  where    video_host = ${host} and look_at <= now() and ${which}
  order by look_at, entry.id
  limit    ${most})`

export type LookPlan = DownloadJob & { look_at: Date | null; looks: number }

/** Plans the looks of these people's videos, which need no request now. A plan that has changed meanwhile stays. */
export async function planLooks(sql: Everyone, plans: LookPlan[]): Promise<void> {
  if (plans.length === 0) return
  await sql`
    with plan as (
      select *
      from   json_to_recordset(${jsonText(plans)}::text::json) as plan (user_id uuid, video_id text, look_at timestamptz, looks int)
    ),
    planned as materialized (
      select   entry.user_id, entry.id, plan.look_at, plan.looks
      from     plan
      join     video_entries entry using (user_id, video_id)
      where    entry.look_at <= now()
      order by entry.user_id, entry.video_id, entry.id
      for update of entry
    )
    update video_entries entry
    set    look_at = planned.look_at, looks = planned.looks
    from   planned
    where  (entry.user_id, entry.id) = (planned.user_id, planned.id)`
}

/**
 * Postpones the due looks at these videos for everyone, so that no other worker takes them, and a worker that dies over one does not
 * take it again at once. Videos of the same id under another address are others.
 */
export async function takeLooks(sql: Everyone, videos: Pick<DueVideo, 'video_id' | 'video_url'>[]): Promise<void> {
  const taken = videos.map(({ video_id, video_url }) => ({ video_id, video_url }))
  await sql`
    with due as materialized (
      select   user_id, id
      from     video_entries
      join     json_to_recordset(${jsonText(taken)}::text::json) as taken (video_id text, video_url text)
               using (video_id, video_url)
      where    look_at <= now()
      order by user_id, video_id, id
      for update of video_entries
    )
    update video_entries entry
    set    look_at = now() + ${taken_for_s} * interval '1 second'
    from   due
    where  (entry.user_id, entry.id) = (due.user_id, due.id)`
}

/** Longer than any look or newest page. */
const taken_for_s = 900

/** What was shown of a feed or a listing: all videos between two published dates, unless they were removed. */
export type ShownList = { rss_url: string; from: Date; to: Date; video_ids: string[] }

/** Missing videos of one person that are planned at once. */
const max_missing_planned = 5
/** A missing video is looked up once in so many days, because a list may leave out videos that are still there. */
const missing_again_days = 30

/**
 * Plans looks at videos that a feed or a listing should show and does not. Each person's missing videos get one look, of which the
 * address then decides for all who have it. The first to be looked up are those that most followers have. A list alone proves nothing.
 */
export async function planMissing(sql: Everyone, { rss_url, from, to, video_ids }: ShownList): Promise<void> {
  await sql`
    with missing as materialized (
      select entry.user_id, entry.id, entry.video_id
      from   channels follower
      join   video_entries entry using (user_id, channel_id)
      where  follower.rss_url = ${rss_url}
      and    entry.sort_at > ${from} and entry.published_at > ${from} and entry.published_at < ${to}
      and    entry.source = 'feed' and entry.published_precision = 'exact' and entry.look_at is null
      and    coalesce(entry.looked_at < now() - ${missing_again_days} * interval '1 day', true)
      and    coalesce(entry.availability in ('public', 'unlisted', 'age_restricted'), true)
      and    entry.video_id <> all(${video_ids})
    ),
    ranked as (
      select missing.*, row_number() over (partition by user_id order by followers desc, video_id) as place
      from   missing
      join   (select video_id, count(*) as followers from missing group by video_id) counted using (video_id)
    ),
    planned as materialized (
      select   entry.user_id, entry.id
      from     ranked
      join     video_entries entry using (user_id, id)
      where    ranked.place <= ${max_missing_planned} and entry.look_at is null
      order by entry.user_id, entry.video_id, entry.id
      for update of entry
    )
    update video_entries entry
    set    look_at = now(), looks = 1
    from   planned
    where  (entry.user_id, entry.id) = (planned.user_id, planned.id)`
}
