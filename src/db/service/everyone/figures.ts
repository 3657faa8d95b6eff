/** Numbers over all people: how much there is, waits, fails or is late, and never whose it is. `/health` and `/metrics` show them. */
import type { Reason } from '../../../schema/downloads/run.ts'
import type { Health, PausedWork, QueueState } from '../../../schema/service/health.ts'
import type { Everyone } from '../../everyone.ts'
import { onlyRow, onlyValue, type Sql } from '../../postgres/client.ts'
import { unendedPauses } from '../../queue/host-pauses.ts'
import { isLocked } from '../../queue/paused.ts'
import { filmSize } from '../../rows/sounds.ts'

export type JobState = 'waiting' | 'later' | 'running' | 'over'

/** Every job with its state. */
export const jobsWithState = (sql: Sql) => sql`(
  select id, task_identifier as task, key, attempts, max_attempts, priority, run_at, created_at, locked_at, locked_by, last_error,
         case when locked_at is not null       then 'running'
              when attempts >= max_attempts    then 'over'
              when run_at > now()              then 'later'
              else                                  'waiting' end as state
  from   graphile_worker.jobs)`

export type JobCount = { task: string; state: JobState; jobs: number }

/** How many jobs of each task are in each state. */
export const countJobs = async (sql: Everyone): Promise<JobCount[]> => sql<JobCount[]>`
  select   task, state, count(*) as jobs
  from     ${jobsWithState(sql)} job
  group by task, state
  order by task, state`

/** The downloads of all people, a video of one person counted once. Reads one index in its order. */
export const countDownloads = (sql: Everyone): Promise<Pick<QueueState, 'running' | 'waiting' | 'failed'>> =>
  onlyRow(sql<Pick<QueueState, 'running' | 'waiting' | 'failed'>[]>`
    select count(*) filter (where standing = 'running') as running,
           count(*) filter (where standing = 'waiting') as waiting,
           count(*) filter (where standing = 'failed') as failed
    from   (select distinct on (standing, user_id, video_id) standing
            from   video_entries
            where  standing in ('running', 'waiting', 'failed')
            order by standing, user_id, video_id) download`)

/** How many seconds the download that could run first has waited; `null`: none could run now. */
export const longestWait = (sql: Everyone): Promise<number | null> =>
  onlyValue<number | null>(sql`
    select extract(epoch from now() - min(run_at))::int as seconds
    from   ${jobsWithState(sql)} job
    where  task = 'download' and state = 'waiting'`)

export type StoredFiles = { files: number; bytes: number }

/** The files of all people. A file that is shared counts for each of them. */
export const countFiles = (sql: Everyone): Promise<StoredFiles> =>
  onlyRow(sql<StoredFiles[]>`
    select count(*) as files, coalesce(sum(file_size), 0)::bigint as bytes
    from   (select distinct on (user_id, video_id) file_size
            from   video_entries
            where  standing = 'done'
            order by user_id, video_id) file`)

/** The bytes of all deleted files that can be restored. */
export const binBytes = (sql: Everyone): Promise<number> =>
  onlyValue<number>(sql`
    select coalesce(sum(file_size), 0)::bigint as bytes from deleted_files`)

/** `reason`: why these runs failed; `null`: they completed, or it is unknown. `bytes`: fetched from sites. */
export type EndedRuns = { is_completed: boolean; reason: Reason | null; runs: number; bytes: number }

/** The downloads whose last run ended within the last hour. */
export const countEnded = async (sql: Everyone): Promise<EndedRuns[]> => sql<EndedRuns[]>`
  select   is_completed, reason, count(*) as runs,
           coalesce(sum(file_size) filter (where is_completed and not download_copied), 0)::bigint as bytes
  from     (select distinct on (user_id, video_id)
                   download_status = 'COMPLETED' as is_completed, download_reason as reason, ${filmSize(sql)} as file_size,
                   download_copied
            from   video_entries entry
            where  download_completed_at between now() - interval '1 hour' and now()
            and    download_status in ('COMPLETED', 'FAILED')
            order by user_id, video_id) ended
  group by is_completed, reason`

type FeedFigures = Health['feeds']

/** There can be a million, and a scrape must not read them all. */
const max_counted_feeds = 50_000

/** Feeds that only locked people follow are not checked. Counting ends at `max_counted_feeds`. */
export const countFeeds = (sql: Everyone): Promise<FeedFigures> =>
  onlyRow(sql<FeedFigures[]>`
    with due as (
      select rss_url, next_fetch_at
      from   channels
      where  next_fetch_at <= now() and not ${isLocked(sql, sql`channels.user_id`)}
      order by next_fetch_at
      limit  ${max_counted_feeds}
    )
    select count(distinct rss_url) as due,
           coalesce(extract(epoch from now() - min(next_fetch_at)), 0)::float8 as late_seconds,
           (select count(distinct rss_url)
            from   (select rss_url from channels where failing_since is not null limit ${max_counted_feeds}) failing) as failing
    from   due`)

/** How many hosts are paused for each kind of work, for everyone or for some. */
export const countPaused = async (sql: Everyone) => sql<{ what: PausedWork; hosts: number }[]>`
  select   what, count(distinct host) as hosts
  from     (${unendedPauses(sql)}) pause
  group by what`

/** `active`: their session or token was used within a day. */
export type PeopleFigures = { people: number; active: number; sessions: number }

export const countPeople = (sql: Everyone): Promise<PeopleFigures> =>
  onlyRow(sql<PeopleFigures[]>`
    select (select count(*) from users) as people,
           (select count(*) from sessions where expires_at > now()) as sessions,
           (select count(*)
            from   (select user_id from sessions where used_at > now() - interval '1 day'
                    union
                    select user_id from secrets where kind = 'token' and last_used_at > now() - interval '1 day') active) as active`)

/** How many seconds ago a worker last sent a heartbeat; `null`: there is no worker. */
export const lastBeat = (sql: Everyone): Promise<number | null> =>
  onlyValue<number | null>(sql`
    select extract(epoch from now() - max(heartbeat_at))::float8 as seconds from workers where report is not null`)
