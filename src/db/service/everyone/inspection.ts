/** The queue and the hosts as operators see them, over all people. */
import type { FailingSite } from '../../../schema/service/health.ts'
import { BackfillJob, DownloadJob } from '../../../schema/service/jobs.ts'
import type { Everyone } from '../../everyone.ts'
import { firstRow, hasAny, type Piece, type Queryable, type Sql } from '../../postgres/client.ts'
import { unendedPauses } from '../../queue/host-pauses.ts'
import { type JobState, jobsWithState } from './figures.ts'

export type QueuedJob = {
  id: string
  task: string
  /** Names what it works on; `null`: replaced by a later job of the same key. */
  key: string | null
  /** What it works on, in words: the person and the video, or the feed. `null`: neither. */
  about: string | null
  /** `later`: it runs at `run_at`. `over`: it has no attempt left. */
  state: JobState
  priority: number
  attempts: number
  max_attempts: number
  run_at: Date
  created_at: Date
  locked_at: Date | null
  locked_by: string | null
  last_error: string | null
}

export type JobFilter = { task?: string | undefined; state?: JobState | undefined }

/** Running jobs first, then the others in the order in which the workers take them. */
const inTurn = (sql: Sql) => sql`job.locked_at is null, run_at > now(), priority, run_at, job.id`

/** Adds to each job the user, video or feed that its key refers to. */
const described = (sql: Sql, jobs: Piece) => sql<QueuedJob[]>`
  select job.id::text as id, job.task, job.key, attempts, max_attempts, priority, run_at, job.created_at,
         job.locked_at, locked_by, last_error, job.state,
         coalesce(feed.rss_url, users.username || ': ' || coalesce(video.title, subject.id)) as about
  from   ${jobs} job
  left join lateral (select regexp_match(job.key, '^(?:download|import|backfill):([0-9a-f-]{36}):(.*)$') as found) parts on true
  left join lateral (select parts.found[1]::uuid as user_id, parts.found[2] as id) subject on true
  left join users on users.id = subject.user_id
  left join lateral (
    select title
    from   video_entries
    where  user_id = subject.user_id and video_id = subject.id and job.task = 'download'
    limit  1) video on true
  left join (
    select distinct rss_url, 'refresh:' || encode(sha256(convert_to(rss_url, 'utf8')), 'hex') as key
    from   channels) feed
  on     feed.key = job.key
  order by ${inTurn(sql)}`

export const listJobs = async (sql: Everyone, { task, state }: JobFilter, limit: number): Promise<QueuedJob[]> =>
  described(
    sql,
    sql`(
      select   *
      from     ${jobsWithState(sql)} job
      where    (${task ?? null}::text is null or task = ${task ?? null})
      and      (${state ?? null}::text is null or state = ${state ?? null})
      order by ${inTurn(sql)}
      limit    ${limit})`,
  )

export const findJob = (sql: Everyone, id: string): Promise<QueuedJob | undefined> =>
  firstRow(described(sql, sql`(select * from ${jobsWithState(sql)} job where id = ${id}::bigint)`))

/** Runs a waiting job now, with all its attempts. `false`: a worker has locked it. */
export const rescheduleJob = (sql: Everyone, id: string): Promise<boolean> =>
  hasAny(sql`select id from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at := now(), attempts := 0)`)

/** Removes a waiting job. `false`: a worker has locked it. */
export const removeJob = (sql: Everyone, id: string): Promise<boolean> =>
  hasAny(sql`select id from graphile_worker.complete_jobs(array[${id}::bigint])`)

/** The download that a job works on, from its key. */
export function downloadOf({ task, key }: Pick<QueuedJob, 'task' | 'key'>): DownloadJob | undefined {
  const [, user_id, video_id] = /^download:([0-9a-f-]{36}):(.+)$/s.exec(key ?? '') ?? []
  return task === 'download' && user_id ? DownloadJob.parse({ user_id, video_id }) : undefined
}

/** The backfill that a job works on, from its key. */
export function backfillOf({ task, key }: Pick<QueuedJob, 'task' | 'key'>): BackfillJob | undefined {
  const [, user_id, channel_id] = /^backfill:([0-9a-f-]{36}):(.+)$/s.exec(key ?? '') ?? []
  return task === 'load-older' && user_id ? BackfillJob.parse({ user_id, channel_id }) : undefined
}

/** Downloads that failed with no further attempt. `host`: absent, from any. */
export const failedDownloads = (sql: Everyone<Queryable>, host?: string): Promise<DownloadJob[]> => sql<DownloadJob[]>`
  select   distinct user_id, video_id
  from     video_entries
  where    standing = 'failed' and (${host ?? null}::text is null or video_host = ${host ?? null})
  order by user_id, video_id`

export type HostState = FailingSite & { running: number; waiting: number }

/**
 * Every host with running, waiting or failed downloads, or with a pause, the most failures first. `failing`: only those at which downloads
 * fail or are tried again, or that are paused.
 */
export const listHosts = (sql: Everyone, limit: number, which: 'all' | 'failing' = 'all') => sql<HostState[]>`
  with used as (
    select   video_host as host,
             count(distinct (user_id, video_id)) filter (where standing = 'running') as running,
             count(distinct (user_id, video_id)) filter (where standing = 'waiting') as waiting,
             count(distinct (user_id, video_id)) filter (where standing = 'failed') as failed,
             coalesce(array_agg(distinct download_reason) filter (where download_status = 'FAILED' and download_reason is not null), '{}')
               as reasons,
             (array_agg(download_error order by download_completed_at desc) filter (where download_status = 'FAILED'))[1]
               as latest_error,
             count(*) filter (where download_status = 'FAILED') > 0 as is_failing
    from     video_entries
    where    video_host is not null
    and      standing in ('running', 'waiting', 'failed')
    group by video_host
  ),
  paused as (
    select   host, max(until) as rests_until, array_agg(distinct what order by what) as paused
    from     (${unendedPauses(sql)}) pause
    group by host
  )
  select   host, coalesce(running, 0)::int as running, coalesce(waiting, 0)::int as waiting, coalesce(failed, 0)::int as failed,
           coalesce(reasons, '{}') as reasons, latest_error, rests_until, coalesce(paused, '{}') as paused
  from     used
  full join paused using (host)
  where    ${which === 'all'} or is_failing or rests_until is not null
  order by coalesce(failed, 0) desc, coalesce(waiting, 0) desc, host
  limit    ${limit}`
