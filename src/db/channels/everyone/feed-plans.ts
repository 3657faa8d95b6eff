/** Plans when each followed feed is fetched, and queues the feeds that are due, over all people. */
import type { Everyone } from '../../everyone.ts'
import { eachValue, onlyValue, type Queryable } from '../../postgres/client.ts'
import { feedsAt, pausedForEveryoneUntil } from '../../queue/host-pauses.ts'
import { feedJobKey, hasNoJob, planAlone } from '../../queue/jobs.ts'
import { isLocked } from '../../queue/paused.ts'

/**
 * Plans feeds that have no plan: they are new, or a refresh by hand cleared the plan. `minutes`: from their latest fetch, give or take a
 * tenth. Returns their addresses.
 */
export const planFetches = (sql: Everyone, minutes: number): Promise<string[]> =>
  eachValue<string>(sql`
    update channels
    set    next_fetch_at = coalesce(last_fetched_at, now()) + ${minutes} * (0.9 + 0.2 * random()) * interval '1 minute'
    where  next_fetch_at is null and rss_url is not null
    returning rss_url`)

/** Called when the operator has turned scheduled fetches off. */
export async function forgetPlans(sql: Everyone): Promise<void> {
  await sql`update channels set next_fetch_at = null where next_fetch_at is not null`
}

/**
 * Removes jobs without another attempt: their worker died in the last one, or a later job of the same key has replaced them.
 * graphile-worker would keep them forever. What is still due of the named tasks is queued again; other jobs can be listed for a day.
 */
export async function removeDeadJobs(sql: Everyone): Promise<void> {
  await sql`
    select graphile_worker.complete_jobs(array(
      select id
      from   graphile_worker.jobs
      where  attempts >= max_attempts and locked_at is null
      and    (task_identifier in ('refresh-feed', 'look-at-host', 'look-at-videos', 'fetch-captions', 'subscribe-feed')
              or updated_at < now() - interval '1 day')
      limit  10000))`
}

/** `max_feeds`: of one host, queued at once. `apart_ms`: between two of them. */
type HostPace = { max_feeds: number; apart_ms: number }

/** A higher number runs later. Feeds run after imports and housekeeping where one worker does all tasks. */
const first_priority = 10
/** Added per failure, for at most ten. A failing feed may take until the timeout, so working feeds go first. */
const priority_per_failure = 1000

/**
 * Queues the addresses that are due, in one statement. Users take turns, so that one user's feeds do not wait for all feeds of
 * another. Among one user's feeds, those that work come first, then those that are due longest. An address whose job waits or
 * runs is not queued again. A feed that only locked people follow stays due until one of them is unlocked. Returns how many were queued.
 */
export const queueDueFeeds = (everyone: Everyone, pace: HostPace): Promise<number> =>
  planAlone(everyone, sql => queueDue(sql, pace))

const queueDue = (sql: Queryable, { max_feeds, apart_ms }: HostPace): Promise<number> =>
  onlyValue<number>(sql`
    with followed as (
      select rss_url, fetch_failures, next_fetch_at,
             row_number() over (partition by user_id order by fetch_failures, next_fetch_at, rss_url) as turn
      from   channels
      where  next_fetch_at <= now() and not ${isLocked(sql, sql`channels.user_id`)}
    ),
    due as (
      select   rss_url,
               ${feedsAt(sql, sql`rss_url`)} as host,
               ${feedJobKey(sql, sql`rss_url`)} as key,
               ${first_priority}
               + ${priority_per_failure} * least(min(fetch_failures), 10)
               + least(min(turn), ${priority_per_failure}) - 1 as priority,
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
             where  place <= ${max_feeds}
             and    ${pausedForEveryoneUntil(sql, sql`due.host`)} is null
             and    ${hasNoJob(sql, sql`due.key`)}))`)
