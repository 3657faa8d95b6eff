/** Numbers over all people: how much there is, waits, fails or is late, and never whose it is. `/health` and `/metrics` show them. */
import type { Reason } from '../../../schema/downloads/run.ts'
import type { Health, PausedWork, QueueState } from '../../../schema/service/health.ts'
import type { Everyone } from '../../everyone.ts'
import { countMessages } from '../../notifications/everyone/due.ts'
import { onlyRow, onlyValue, type Sql } from '../../postgres/client.ts'
import { unendedPauses } from '../../queue/host-pauses.ts'
import { isLocked } from '../../queue/paused.ts'
import { filmSize } from '../../rows/sound-rows.ts'

export type JobState = 'waiting' | 'later' | 'running' | 'over'

/** Every job with its state. */
export const jobsWithState = (sql: Sql) => sql`(
  select id, task_identifier as task, key, attempts, max_attempts, priority, run_at, created_at, locked_at, locked_by, last_error,
         case when locked_at is not null       then 'running'
              when attempts >= max_attempts    then 'over'
              when run_at > now()              then 'later'
              else                                  'waiting' end as state
  from   graphile_worker.jobs)`

/** `reason`: why these runs failed; `null`: they completed, or it is unknown. `bytes`: fetched from sites. */
export type EndedRuns = { is_completed: boolean; reason: Reason | null; runs: number; bytes: number }

/** There can be a million, and a scrape must not read them all. */
const max_counted_feeds = 50_000

export const figuresIn = (sql: Everyone) => ({
  /** How many jobs of each task are in each state. */
  jobs: async () => sql<{ task: string; state: JobState; jobs: number }[]>`
    select   task, state, count(*) as jobs
    from     ${jobsWithState(sql)} job
    group by task, state
    order by task, state`,

  /** The downloads of all people, a video of one person counted once. `null`: none could run now. */
  queue: (): Promise<Omit<QueueState, 'failing_sites'>> =>
    onlyRow(sql<Omit<QueueState, 'failing_sites'>[]>`
      select count(*) filter (where standing = 'running') as running,
             count(*) filter (where standing = 'waiting') as waiting,
             count(*) filter (where standing = 'failed') as failed,
             (select extract(epoch from now() - min(run_at))::int
              from   ${jobsWithState(sql)} job
              where  task = 'download' and state = 'waiting') as oldest_waiting_seconds
      -- Reads one index in its order.
      from   (select distinct on (standing, user_id, video_id) standing
              from   video_entries
              where  standing in ('running', 'waiting', 'failed')
              order by standing, user_id, video_id) download`),

  /** The files of all people. A file that is shared counts for each of them. */
  files: () =>
    onlyRow(sql<{ files: number; bytes: number }[]>`
      select count(*) as files, coalesce(sum(file_size), 0)::bigint as bytes
      from   (select distinct on (user_id, video_id) file_size
              from   video_entries
              where  standing = 'done'
              order by user_id, video_id) file`),

  /** The bytes of all deleted files that can be restored. */
  binBytes: () =>
    onlyValue<number>(sql`
      select coalesce(sum(file_size), 0)::bigint as bytes from deleted_files`),

  /** The downloads whose last run ended within the last hour. */
  ended: async () => sql<EndedRuns[]>`
    select   is_completed, reason, count(*) as runs,
             coalesce(sum(file_size) filter (where is_completed and not download_copied), 0)::bigint as bytes
    from     (select distinct on (user_id, video_id)
                     download_status = 'COMPLETED' as is_completed, download_reason as reason, ${filmSize(sql)} as file_size,
                     download_copied
              from   video_entries entry
              where  download_completed_at between now() - interval '1 hour' and now()
              and    download_status in ('COMPLETED', 'FAILED')
              order by user_id, video_id) ended
    group by is_completed, reason`,

  /** Feeds that only locked people follow are not checked. Counting ends at `max_counted_feeds`. */
  feeds: () =>
    onlyRow(sql<Health['feeds'][]>`
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
      from   due`),

  /** How many hosts are paused for each kind of work, for everyone or for some. */
  paused: async () => sql<{ what: PausedWork; hosts: number }[]>`
    select   what, count(distinct host) as hosts
    from     (${unendedPauses(sql)}) pause
    group by what`,

  /** `active`: their session or token was used within a day. */
  people: () =>
    onlyRow(sql<{ people: number; active: number; sessions: number }[]>`
      select (select count(*) from users) as people,
             (select count(*) from sessions where expires_at > now()) as sessions,
             (select count(*)
              from   (select user_id from sessions where used_at > now() - interval '1 day'
                      union
                      select user_id from secrets where kind = 'token' and last_used_at > now() - interval '1 day') active) as active`),

  messages: () => countMessages(sql),

  /** How many seconds ago a worker last sent a heartbeat; `null`: there is no worker. */
  lastBeat: () =>
    onlyValue<number | null>(sql`
      select extract(epoch from now() - max(heartbeat_at))::float8 as seconds from workers where report is not null`),
})
