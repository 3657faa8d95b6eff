/** Plans the requests to hubs, and the checks after pushes, every minute. */
import { randomBytes } from 'node:crypto'
import type { Everyone } from '../../everyone.ts'
import type { Queryable } from '../../postgres/client.ts'
import { feedsAt, hostOf, pausedForEveryoneUntil } from '../../queue/host-pauses.ts'
import { addPushedCheck, feedJobKey, hasNoJob, planAlone } from '../../queue/jobs.ts'

/**
 * Requests in a minute: at most `max_requests` to one host, `apart_ms` milliseconds between two of these, and at most `in_all` to all
 * hosts.
 */
type HubPace = { max_requests: number; apart_ms: number; in_all: number }

/** After the checks of feeds. */
const priority = 2000

/** Requests to end a subscription that the hub does not confirm. Later it gets 410, and stops. */
const max_end_requests = 2

/** Called when push is off: hubs that still send something get 410 and stop. */
export async function forgetPushes(sql: Everyone): Promise<void> {
  await sql`delete from push_subscriptions`
}

/** Subscriptions whose feeds are searched for followers at once. */
const max_subscriptions_searched = 5000

/** Ends the subscriptions of feeds that no one follows any more: of all, or of some that follow a random place in many. */
export async function endUnfollowed(sql: Everyone): Promise<void> {
  const place = randomBytes(24).toString('base64url')
  const unfollowed = await sql<{ push_id: string }[]>`
    with after as materialized (
      select   push_id, rss_url, state
      from     push_subscriptions
      where    push_id >= ${place}
      order by push_id
      limit    ${max_subscriptions_searched}
    ),
    before as materialized (
      select   push_id, rss_url, state
      from     push_subscriptions
      where    push_id < ${place}
      order by push_id
      limit    ${max_subscriptions_searched} - (select count(*) from after)
    )
    select push_id
    from   (select * from after union all select * from before) searched
    where  state <> 'ending'
    and    not exists (select from channels where channels.rss_url = searched.rss_url)`
  if (unfollowed.length > 0)
    await sql`
      update push_subscriptions
      set    state = 'ending', failures = 0, next_attempt_at = now(), check_at = null
      where  push_id = any(${unfollowed.map(({ push_id }) => push_id)}) and state <> 'ending'`
  // A hub that never got a request needs no other one.
  await sql`
    delete from push_subscriptions
    where  state = 'ending' and (callback is null or (failures >= ${max_end_requests} and next_attempt_at <= now()))`
}

/**
 * Feeds whose subscription has just ended, or whose pushes cannot be trusted any more, are checked at the usual pace again, from now
 * on. `minutes`: the usual interval.
 */
export async function restorePace(sql: Everyone, minutes: number): Promise<void> {
  await sql`
    with lost as (
      update push_subscriptions
      set    state  = case when state = 'active' then 'failed' else state end,
             streak = 0
      where  (state = 'active' and lease_until <= now()) or (state <> 'active' and streak > 0)
      returning rss_url
    )
    update channels
    set    next_fetch_at = now() + ${minutes} * random() * interval '1 minute'
    from   lost
    where  channels.rss_url = lost.rss_url and next_fetch_at > now() + ${minutes} * interval '1 minute'`
}

/** Makes the requests due whose callback is no longer ours, because PUBLIC_URL has changed. */
export async function requestWithNewCallbacks(sql: Everyone, callbacks: string): Promise<void> {
  // Nearly always all are ours. The first and the last one show it without reading the others.
  // Without the 32 characters of the id.
  const prefix = sql`left(callback, -32)`
  const [{ is_changed } = { is_changed: false }] = await sql<{ is_changed: boolean }[]>`
    select min(${prefix}) <> ${callbacks} or max(${prefix}) <> ${callbacks} as is_changed
    from   push_subscriptions`
  if (is_changed)
    await sql`
      update push_subscriptions
      set    next_attempt_at = now()
      where  ${prefix} <> ${callbacks} and next_attempt_at > now()`
}

/**
 * Queues the requests that are due, in one statement. Hubs take turns, so that the many feeds of one hub do not delay the feeds of another.
 * A subscription that works is renewed before new ones are requested. Returns how many were queued.
 */
export const queueHubRequests = (everyone: Everyone, pace: HubPace): Promise<number> =>
  planAlone(everyone, sql => queueRequests(sql, pace))

async function queueRequests(sql: Queryable, pace: HubPace): Promise<number> {
  const [queued] = await sql<{ count: number }[]>`
    with due as (
      select push_id, state = 'active' as is_active, next_attempt_at,
             'subscribe:' || push_id as key,
             ${feedsAt(sql, sql`hub`)} as host,
             row_number() over (partition by ${hostOf(sql, sql`hub`)}
                                order by state <> 'active', next_attempt_at, push_id) as place
      from   push_subscriptions
      where  next_attempt_at <= now()
    ),
    chosen as (
      select   *
      from     due
      where    place <= ${pace.max_requests}
      and      ${pausedForEveryoneUntil(sql, sql`due.host`)} is null
      and      ${hasNoJob(sql, sql`due.key`)}
      order by not is_active, place, next_attempt_at
      limit    ${pace.in_all}
    )
    select count(*) as count
    from   graphile_worker.add_jobs(array(
             select (
                      'subscribe-feed',
                      json_build_object('push_id', push_id, 'hub_host', host, 'renewal', is_active), null,
                      now() + (place - 1) * ${pace.apart_ms} * interval '1 millisecond', 1, key, ${priority}, null
                    )::graphile_worker.job_spec
             from   chosen))`
  return queued?.count ?? 0
}

/** Queues the announced checks that have no job: a worker died, or the host of the feed was paused. */
export const queueLostChecks = (everyone: Everyone) =>
  planAlone(
    everyone,
    sql => sql`
    select ${addPushedCheck(sql, sql`rss_url`, sql`now()`)}
    from   push_subscriptions push
    where  check_at < now()
    and    ${pausedForEveryoneUntil(sql, feedsAt(sql, sql`rss_url`))} is null
    and    ${hasNoJob(sql, feedJobKey(sql, sql`push.rss_url`))}
    order by check_at
    limit  300`,
  )

type ListedHub = {
  hub: string
  active: number
  /** `pending`: waiting for the hub. `refused`: by the hub itself. `failed`: the last request failed, or the lease has ended. */
  pending: number
  refused: number
  failed: number
  /** How many checks found new videos because of a push, and how many found videos that it should have announced. */
  pushed_first: number
  polled_first: number
  last_push_at: Date | null
}

/** Every hub; those with the most feeds first. */
export const listHubs = (sql: Everyone, limit: number): Promise<ListedHub[]> => sql<ListedHub[]>`
  select   hub,
           count(*) filter (where state = 'active')               as active,
           count(*) filter (where state in ('pending', 'ending')) as pending,
           count(*) filter (where state = 'denied')               as refused,
           count(*) filter (where state = 'failed')               as failed,
           sum(pushed_first)                                      as pushed_first,
           sum(polled_first)                                      as polled_first,
           max(last_push_at)                                      as last_push_at
  from     push_subscriptions
  group by hub
  order by count(*) desc, hub
  limit    ${limit}`
