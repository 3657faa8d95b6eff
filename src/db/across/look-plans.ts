/** Plans looks over all people: which hosts have something to look up, and which videos are due there. Only the jobs import this. */
import { jsonText } from '../../runtime/json.ts'
import type { Facts } from '../../schema/facts.ts'
import { DownloadJob } from '../../schema/jobs.ts'
import type { Piece, Queryable, Sql } from '../postgres/client.ts'
import { requestHostCheck } from '../queue/host-checks.ts'
import { looks_prefix, pausedForEveryoneUntil, pauseHost } from '../queue/host-pauses.ts'

/** The host of an address as `video_host` has it. */
export const siteAt = (sql: Queryable, url: Piece) => sql`
  substring(lower(${url}) from '^https?://(?:[^/?#\\\\]*@)?(?:www\\.|m\\.)?(\\[[^]/?#]*\\]|[^/?#:@\\\\]+)')`

const isPaused = (sql: Queryable, host: Piece) => sql`
  (${pausedForEveryoneUntil(sql, host)} is not null
   or ${pausedForEveryoneUntil(sql, sql`${looks_prefix}::text || ${host}`)} is not null)`

/** Queues a job for each host that has due looks or listings, unless one waits or runs. Returns how many were queued. */
export async function queueLooks(sql: Sql): Promise<number> {
  const [queued] = await sql<{ count: number }[]>`
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
      select host
      from   planned
      where  exists (select from video_entries where video_host = planned.host and look_at <= now())
      union
      select ${siteAt(sql, sql`rss_url`)}
      from   channels
      where  list_at <= now()
    )
    select count(*) as count
    from   graphile_worker.add_jobs(array(
             select ('look-at-videos', json_build_object('host', host), null, now(), 1, 'looks:' || host, null, null)::graphile_worker.job_spec
             from   due
             where  host is not null and not ${isPaused(sql, sql`due.host`)}
             and    not exists (
                      select from graphile_worker.jobs job
                      where  job.key = 'looks:' || due.host and (job.locked_at is not null or job.attempts < job.max_attempts))
           ))`
  return queued?.count ?? 0
}

/** Queues the next look at this host, after a pause. */
export const queueNextLook = (sql: Sql, host: string, pause_s: number) => sql`
  select graphile_worker.add_job(
    'look-at-videos',
    payload      := ${sql.json({ host })}::json,
    job_key      := ${`looks:${host}`},
    max_attempts := 1,
    run_at       := now() + ${pause_s} * interval '1 second')`

export async function isLookPaused(sql: Sql, host: string): Promise<boolean> {
  const [row] = await sql<{ is_paused: boolean }[]>`select ${isPaused(sql, sql`${host}::text`)} as is_paused`
  return row?.is_paused === true
}

/** A video that is due, as one person has it. `looks`: see the migration of this column. */
export type DueVideo = DownloadJob &
  Pick<Facts, 'duration_seconds' | 'live_status' | 'availability'> & {
    video_url: string
    published_at: Date | null
    looks: number
    /** The feed of its channel; null: the channel is not followed. */
    rss_url: string | null
    page_url: string | null
    /** Its download waits until it begins or ends, and then says so. */
    is_awaited: boolean
  }

/** The oldest plans first. Several people may have the same video. */
export async function dueLooks(sql: Sql, host: string): Promise<DueVideo[]> {
  const rows = await sql<(Omit<DueVideo, 'user_id'> & { user_id: string })[]>`
    select   user_id, video_id, video_url, published_at, duration_seconds, live_status, availability, looks, rss_url, page_url,
             standing = 'waiting' and download_reason in ('premiere', 'live') is true as is_awaited
    from     video_entries entry
    join     channels using (user_id, channel_id)
    where    video_host = ${host} and look_at <= now()
    order by look_at, entry.id
    limit    100`
  return rows.map(row => ({ ...row, ...DownloadJob.parse(row) }))
}

export type LookPlan = DownloadJob & { look_at: Date | null; looks: number }

/** Plans the looks of these people's videos, which need no request now. A plan that has changed meanwhile stays. */
export async function planLooks(sql: Sql, plans: LookPlan[]): Promise<void> {
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
 * take it again at once.
 */
export async function takeLooks(sql: Sql, host: string, video_ids: string[]): Promise<void> {
  await sql`
    with due as materialized (
      select   user_id, id
      from     video_entries
      where    video_id = any(${video_ids}) and video_host = ${host} and look_at <= now()
      order by user_id, video_id, id
      for update
    )
    update video_entries entry
    set    look_at = now() + ${taken_for_s} * interval '1 second'
    from   due
    where  (entry.user_id, entry.id) = (due.user_id, due.id)`
}

/** Longer than any look or newest page. */
const taken_for_s = 900

/**
 * The site refused a look or a listing, or the tools are missing: looks wait. Only the check of the host that this requests can pause
 * downloads. `max_s`: the longest pause, however often this happens.
 */
export const pauseLooks = (
  sql: Sql,
  host: string,
  {
    reason,
    refused,
    max_s,
  }: { reason: string; refused: DownloadJob['user_id'] | undefined; max_s?: number | undefined },
): Promise<void> =>
  sql.begin(async tx => {
    await pauseHost(tx, looks_prefix + host, { reason, max_s })
    if (refused) await requestHostCheck(tx, host, { user_id: refused })
  })
