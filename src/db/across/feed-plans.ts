/** When followed feeds are visited, across users: plans, and the jobs that carry them out. Only the jobs import this. */
import type { Sql } from '../postgres/client.ts'
import { feedsAt, pausedForEveryoneUntil } from '../queue/host-pauses.ts'

/** What has no plan yet, because somebody has just fetched it by hand, is planned about `minutes` after that. */
export async function planVisits(sql: Sql, minutes: number): Promise<void> {
  await sql`
    update channels
    set    next_fetch_at = coalesce(last_fetched_at, now()) + ${minutes} * (0.9 + 0.2 * random()) * interval '1 minute'
    where  next_fetch_at is null`
}

/** Nobody comes by any more. */
export async function forgetPlans(sql: Sql): Promise<void> {
  await sql`update channels set next_fetch_at = null where next_fetch_at is not null`
}

/** Jobs that ended with their worker. What they were for is queued anew when it is due; they themselves would stay for ever. */
export async function clearSpentJobs(sql: Sql): Promise<void> {
  await sql`
    select graphile_worker.complete_jobs(array(
      select id
      from   graphile_worker.jobs
      where  task_identifier in ('refresh-feed', 'look-at-host') and attempts >= max_attempts and locked_at is null))`
}

/** Of one host: how many at most, and how far apart they begin. */
export type HostPace = { most: number; apart_ms: number }

/** Behind imports and housekeeping, wherever one worker does it all. */
const first_priority = 10
/** Per failure, up to ten: what fails may hang until it does, and stands behind what works. */
const behind_a_failure = 1000

/**
 * Queues the due addresses, in one statement. Users take turns, each with what works and is longest due first, so that
 * nobody's feeds stand behind all of another one's. An address that waits or runs is not queued again: a second job of
 * its key would run beside the first. Returns how many were queued.
 */
export async function queueDueFeeds(sql: Sql, { most, apart_ms }: HostPace): Promise<number> {
  const [queued] = await sql<{ count: number }[]>`
    with followed as (
      select rss_url, fetch_failures, next_fetch_at,
             row_number() over (partition by user_id order by fetch_failures, next_fetch_at, rss_url) as turn
      from   channels
      where  next_fetch_at <= now()
    ),
    due as (
      select   rss_url,
               ${feedsAt(sql, sql`rss_url`)} as host,
               'refresh:' || encode(sha256(convert_to(rss_url, 'utf8')), 'hex') as key,
               ${first_priority}
               + ${behind_a_failure} * least(min(fetch_failures), 10)
               + least(min(turn), ${behind_a_failure}) - 1 as priority,
               row_number() over (partition by ${feedsAt(sql, sql`rss_url`)}
                                  order by min(turn), min(next_fetch_at), rss_url) as place
      from     followed
      group by rss_url
    )
    select count(*) as count
    from   graphile_worker.add_jobs(array(
             select (
                      'refresh-feed', json_build_object('rss_url', rss_url), null,
                      now() + (place - 1) * ${apart_ms} * interval '1 millisecond', 1, key, priority, null
                    )::graphile_worker.job_spec
             from   due
             where  place <= ${most}
             and    ${pausedForEveryoneUntil(sql, sql`due.host`)} is null
             and    not exists (
                      select from graphile_worker.jobs job
                      where  job.key = due.key and (job.locked_at is not null or job.attempts < job.max_attempts))
           ))`
  return queued?.count ?? 0
}
