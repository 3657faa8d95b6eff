/** What the workers ask about downloads, backfills and workers, over all people. */
import type { WorkerReport } from '../../../schema/service/health.ts'
import type { DownloadJob } from '../../../schema/service/jobs.ts'
import type { RunStart } from '../../downloads/run-types.ts'
import type { JoblessDownload } from '../../downloads/stops.ts'
import type { Everyone } from '../../everyone.ts'
import { isLost } from '../../imports/imports.ts'
import { notifyAdministrators } from '../../notifications/everyone/notices.ts'
import { eachValue, onlyValue, type Queryable } from '../../postgres/client.ts'
import { workerJobs } from '../../postgres/worker-tables.ts'
import type { QueuedBackfill } from '../../queue/jobs.ts'
import { isLocked, isPaused } from '../../queue/paused.ts'
import { requesterOf } from '../../queue/queue.ts'

/** `attempt`: the one that was interrupted. */
export type StaleDownload = DownloadJob & { claim: string } & Pick<RunStart, 'attempt' | 'by_rule' | 'failing'>
type ForgottenDownload = DownloadJob & JoblessDownload

/** Downloads whose run sent no heartbeat for `seconds`: its worker is gone. */
export const staleDownloads = (sql: Everyone, seconds: number): Promise<StaleDownload[]> => sql<StaleDownload[]>`
  select   user_id, video_id, download_claim as claim, download_attempts as attempt,
           case when download_reason is not null
                then json_build_object('reason', download_reason, 'failures', download_failures) end as failing,
           bool_or(download_by_rule and rule.on_since is not null) is true as by_rule
  from     video_entries
  left join channel_rules rule using (user_id, channel_id)
  where    download_status = 'DOWNLOADING'
  and      download_heartbeat_at < now() - ${seconds} * interval '1 second'
  group by user_id, video_id, download_claim, download_attempts, download_reason, download_failures`

/**
 * Waiting downloads that no job will ever run: the queue gave their job up, or a worker died after it took the job and before
 * it started the download.
 */
export const forgottenDownloads = (sql: Everyone<Queryable>, seconds: number): Promise<ForgottenDownload[]> => sql<
  ForgottenDownload[]
>`
  -- From indexes alone; the few without a job are then read whole.
  with jobless as materialized (
    select   distinct user_id, video_id
    from     video_entries entry
    where    standing = 'waiting'
    and      not exists (
               select from ${workerJobs(sql)} job
               where  job.key = 'download:' || entry.user_id || ':' || entry.video_id
               and    (job.locked_at > now() - ${seconds} * interval '1 second' or job.is_available))
  )
  select   entry.*
  from     jobless
  cross join lateral (
    select   user_id, video_id, video_host, download_next_attempt_at as run_at,
             ${requesterOf(sql)} as by,
             download_by_rule and download_status = 'FAILED' as is_late
    from     video_entries entry
    where    user_id = jobless.user_id and video_id = jobless.video_id
    and      standing = 'waiting' and not ${isPaused(sql)}
    and      download_requested_at not between now() - ${seconds} * interval '1 second' and now()
    order by id
    limit    1) entry
  order by user_id, video_id
  limit    500`

/** The claims of all runs. */
export const claimsHeld = async (sql: Everyone): Promise<Set<string>> =>
  new Set(await eachValue<string>(sql`select download_claim from video_entries where download_status = 'DOWNLOADING'`))

/** Returns a function that calls `onNews` with each message of this channel. The result of that function stops listening. */
const listening = (channel: string) => async (sql: Everyone, onNews: (message: string) => void) =>
  (await sql.listen(channel, onNews)).unlisten

/** Calls `onNews` with each claim that is lost. The trigger `tell_lost_claim` notifies of lost claims. */
export const listenForLostClaims = listening('download_claim_lost')

/** Makes every worker that keeps its own yt-dlp look for a newer version now. */
export const wantToolCheck = (sql: Everyone<Queryable>) => sql`select pg_notify('tool_check_wanted', '')`

/** Hears each time an administrator wants a check for a newer yt-dlp. */
export const listenForToolChecks = listening('tool_check_wanted')

/** Hears each time a person opens the page of a video that is not on disk. */
export const listenForWatchers = listening('watch_expected')

/** Workers that sent no heartbeat for `seconds`. */
export const silentWorkers = (sql: Everyone, seconds: number): Promise<string[]> =>
  eachValue<string>(sql`
    select id from workers where heartbeat_at < now() - ${seconds} * interval '1 second'`)

/**
 * The heartbeat of a worker process. `passed_over`: the flags of the jobs that it skips for now. `further_ids`: its pools without a report.
 * Returns the time of the database.
 */
export const beatWorker = (
  sql: Everyone,
  worker_id: string,
  report: WorkerReport | null = null,
  passed_over: string[] | null = null,
  further_ids: string[] = [],
): Promise<Date> =>
  onlyValue<Date>(sql`
    insert into workers (id, report, passed_over)
    select   ${worker_id}, ${report && sql.json(report)}::jsonb, ${passed_over}::text[]
    union all
    select   unnest(${further_ids}::text[]), null, null
    on conflict (id) do update set heartbeat_at = now(), report = excluded.report, passed_over = excluded.passed_over
    returning now() as time`)

/** This worker process reports under another id from now on. The jobs of the former one are unlocked as those of a dead worker. */
export const endReport = (sql: Everyone, worker_id: string) => sql`
  update workers set report = null, passed_over = null where id = ${worker_id}`

/**
 * Removes workers that have stopped, and unlocks jobs that they could not give back. Without the row of a worker, no recovery unlocks its
 * jobs.
 */
export async function forgetWorkers(sql: Everyone, worker_ids: string[]): Promise<void> {
  await sql`
    with stopped as (
      delete from workers where id = any(${worker_ids})
    )
    select graphile_worker.force_unlock_workers(${worker_ids})`
}

const worker_died = 'A worker has died. Its downloads go on at another one, or when a worker starts again.'

/**
 * Unlocks the jobs of workers that sent no heartbeat for `seconds`; the queue itself would unlock them after 4 hours.
 * `suspects`: only these workers may be dead. Notifies administrators of those with a report. Returns the ids of the dead workers.
 */
export async function unlockDeadWorkers(sql: Everyone, seconds: number, suspects?: string[]): Promise<string[]> {
  const [unlocked] = await sql<{ ids: string[] }[]>`
    with dead as (
      delete from workers
      where  heartbeat_at < now() - ${seconds} * interval '1 second'
      and    ${suspects ? sql`id = any(${suspects})` : sql`true`}
      returning id, report is not null as is_worker
    ),
    notified as (${notifyAdministrators(sql, { begun: [worker_died], ended: [] }, sql`exists (select from dead where is_worker)`)}),
    listed as (
      select array_agg(id) as ids from dead
    )
    select ids, graphile_worker.force_unlock_workers(ids)
    from   listed
    where  ids is not null`
  return unlocked?.ids ?? []
}

export async function forgetOldFailures(sql: Everyone): Promise<void> {
  await sql`delete from sign_in_failures where started_at < now() - interval '1 day'`
}

/** Imports whose file no process reads any longer. */
export async function forgetLostImports(sql: Everyone): Promise<void> {
  await sql`delete from imports where ${isLost(sql)}`
}

type ForgottenBackfill = QueuedBackfill & { run_at: Date | null }

/**
 * Unfinished backfills that no job will ever run: the queue gave their job up, or an operator removed it. A job that a worker runs is
 * locked. `seconds`: a run without a heartbeat for so long has no worker.
 */
export const forgottenBackfills = (sql: Everyone<Queryable>, seconds: number): Promise<ForgottenBackfill[]> => sql<
  ForgottenBackfill[]
>`
  select user_id, channel_id, site, round, next_attempt_at as run_at
  from   backfills
  where  state in ('queued', 'running')
  and    greatest(requested_at, heartbeat_at) < now() - ${seconds} * interval '1 second'
  and    not exists (
           select from ${workerJobs(sql)} job
           where  job.key = 'backfill:' || backfills.user_id || ':' || backfills.channel_id
           and    (job.is_available or job.locked_at is not null))
  and    not ${isLocked(sql, sql`backfills.user_id`)}
  limit  500`
