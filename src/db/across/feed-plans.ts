/** Plans when followed feeds are fetched, over all users, and adds the jobs that do it. Only the jobs import this. */
import type { Sql } from '../postgres/client.ts'
import { feedsAt, pausedForEveryoneUntil } from '../queue/host-pauses.ts'

/** Feeds without a plan have just been fetched by hand. They are planned about `minutes` after that. */
export async function planVisits(sql: Sql, minutes: number): Promise<void> {
  await sql`
    update channels
    set    next_fetch_at = coalesce(last_fetched_at, now()) + ${minutes} * (0.9 + 0.2 * random()) * interval '1 minute'
    where  next_fetch_at is null`
}

/** For a service that no longer fetches feeds on a schedule. */
export async function forgetPlans(sql: Sql): Promise<void> {
  await sql`update channels set next_fetch_at = null where next_fetch_at is not null`
}

/** Removes jobs whose only attempt ended with their worker. They would stay for ever; their work is queued again when it is due. */
export async function clearSpentJobs(sql: Sql): Promise<void> {
  await sql`
    select graphile_worker.complete_jobs(array(
      select id
      from   graphile_worker.jobs
      where  task_identifier in ('refresh-feed', 'look-at-host') and attempts >= max_attempts and locked_at is null))`
}

/** How many feeds of one host are queued at once, and the time between two of them. */
export type HostPace = { most: number; apart_ms: number }

/** Behind imports and housekeeping, where one worker does all tasks. */
const first_priority = 10
/** Added per failure, up to ten: a feed that fails may take long to do so, and waits behind feeds that work. */
const behind_a_failure = 1000

/**
 * Queues the addresses that are due, in one statement. Users take turns, so that the feeds of one do not wait for all feeds of
 * another; each user's working and longest due feeds come first. An address that waits or runs is not queued again, because a
 * second job of its key would run at the same time. Returns how many were queued.
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
