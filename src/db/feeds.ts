/**
 * Followed feeds across users: one address is fetched once for all who follow it. Plans the visits, and keeps what
 * they found out about the feed itself; its entries are saved through each follower's library. Only the jobs import this.
 */
import { isDeepStrictEqual } from 'node:util'
import { type Known, nothing_known } from '../schema/feed.ts'
import { Follower } from '../schema/jobs.ts'
import { remembered, works } from './channels.ts'
import type { Sql } from './client.ts'
import { feedsAt } from './host-pauses.ts'
import type { Visit } from './library.ts'

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

/** Jobs that ended with their worker. Their feeds are still due, and queued anew; they themselves would stay for ever. */
export async function clearSpentJobs(sql: Sql): Promise<void> {
  await sql`
    select graphile_worker.complete_jobs(array(
      select id
      from   graphile_worker.jobs
      where  task_identifier = 'refresh-feed' and attempts >= max_attempts and locked_at is null))`
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
             and    not exists (
                      select from graphile_worker.jobs job
                      where  job.key = due.key and (job.locked_at is not null or job.attempts < job.max_attempts))
           ))`
  return queued?.count ?? 0
}

/** One address as the schedule sees it, however many follow it. */
export type FollowedFeed = {
  followers: Follower[]
  /** What is known of it in the same words at every follower; nothing, if one of them saw another state of it. */
  known: Known
  /** In a row; the follower for whom it worked last counts. */
  failures: number
  /** When its newest videos were published. */
  posted: Date[]
}

/** `undefined`: nobody follows it, or it is not due, because somebody else was here. */
export async function dueFeed(sql: Sql, rss_url: string): Promise<FollowedFeed | undefined> {
  const rows = await sql<(Known & { is_due: boolean; failures: number; posted: Date[] } & Record<string, unknown>)[]>`
    select   user_id,
             channel_id,
             etag,
             last_modified,
             body_hash,
             every_minutes,
             fetch_failures                       as failures,
             coalesce(next_fetch_at <= now(), false) as is_due,
             array(
               select   published_at
               from     video_entries entry
               where    entry.user_id = channel.user_id and entry.channel_id = channel.channel_id
               and      published_at is not null
               order by sort_at desc, id desc
               limit    15
             ) as posted
    from     channels channel
    where    rss_url = ${rss_url}
    order by user_id, channel_id`
  const [first, ...others] = rows
  if (!first || !rows.some(({ is_due }) => is_due)) return undefined
  const stateOf = ({ etag, last_modified, body_hash, every_minutes }: Known): Known => ({
    etag,
    last_modified,
    body_hash,
    every_minutes,
  })
  const known = stateOf(first)
  const is_shared = others.every(other => isDeepStrictEqual(stateOf(other), known))
  return {
    followers: rows.map(row => Follower.parse(row)),
    known: is_shared ? known : nothing_known,
    failures: Math.min(...rows.map(({ failures }) => failures)),
    posted: first.posted,
  }
}

/** It stands as it stood: all that is written, and in one statement for everybody who follows it. */
export async function noteUnchanged(sql: Sql, rss_url: string, visit: Visit): Promise<void> {
  await sql`
    update channels
    set    ${works(sql)},
           ${remembered(sql, visit)}
    where  rss_url = ${rss_url}`
}

/** It could not be read, and why. */
export async function noteFailedVisit(sql: Sql, rss_url: string, fetch_error: string, next: Date): Promise<void> {
  await sql`
    update channels
    set    fetch_error     = ${fetch_error},
           fetch_failed_at = now(),
           failing_since   = coalesce(failing_since, now()),
           fetch_failures  = least(fetch_failures + 1, 100),
           next_fetch_at   = ${next}
    where  rss_url = ${rss_url}`
}
