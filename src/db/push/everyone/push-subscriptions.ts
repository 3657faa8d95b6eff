/**
 * Subscriptions at hubs: the requests to the hub, and what the checks of their feeds found.
 *
 * A request is saved before it is sent, with the time of the next one. So a worker may die at any moment: the request is sent again.
 */
import { jsonText } from '../../../runtime/json.ts'
import type { CheckNote, PushState } from '../../../schema/push/push.ts'
import type { FeedHub } from '../../../schema/sources/feed.ts'
import type { Everyone } from '../../everyone.ts'
import type { Queryable, Sql } from '../../postgres/client.ts'
import { addPushedCheck } from '../../queue/jobs.ts'

/** The id and the key are secret. */
export type NewSubscription = FeedHub & { rss_url: string; push_id: string; secret: string }

/** Minutes until a request is sent again that no hub has confirmed, doubled by each one in a row, up to a day. */
const retry_minutes = { first: 15, most: 24 * 60 }

/** Minutes between the requests for a feed that names another hub each time. */
const switch_minutes = 60

/**
 * The hubs of these feeds are these from now on; each feed once. A subscription at another hub is replaced, under another id: that
 * hub gets 410 and stops.
 */
export async function useHubs(sql: Everyone, subscriptions: NewSubscription[]): Promise<void> {
  await sql`
    insert into push_subscriptions as known (push_id, rss_url, hub, topic, secret)
    select   push_id, rss_url, hub, topic, secret
    from     json_to_recordset(${jsonText(subscriptions)}::text::json) as made (
               push_id text, rss_url text, hub text, topic text, secret text)
    where    exists (select from channels where channels.rss_url = made.rss_url)
    order by rss_url
    on conflict (rss_url) do update
    set    push_id = excluded.push_id, hub = excluded.hub, topic = excluded.topic, secret = excluded.secret,
           state = 'pending', callback = null, failures = 0, active_since = null, lease_until = null, streak = 0, fruitless = 0,
           next_attempt_at = greatest(now(), known.requested_at + ${switch_minutes} * interval '1 minute')
    where  (known.hub, known.topic) is distinct from (excluded.hub, excluded.topic) or known.state = 'ending'`
}

/** The hub is no longer wanted, because the feed does not name it any more. */
export async function endPush(sql: Everyone<Queryable>, push_id: string): Promise<void> {
  await sql`
    update push_subscriptions
    set    state = 'ending', failures = 0, next_attempt_at = now()
    where  push_id = ${push_id} and state <> 'ending'`
}

export async function forgetPush(sql: Everyone, push_id: string): Promise<void> {
  await sql`delete from push_subscriptions where push_id = ${push_id}`
}

export type HubRequest = FeedHub & { callback: string; secret: string; state: PushState }

/**
 * Saves that a request is sent now, and when it would be sent again. `undefined`: none is due. `callbacks`: the address before the
 * id.
 */
export async function beginRequest(sql: Everyone, push_id: string, callbacks: string): Promise<HubRequest | undefined> {
  const [request] = await sql<HubRequest[]>`
    update push_subscriptions
    set    state           = case when state in ('denied', 'failed') then 'pending' else state end,
           callback        = ${callbacks}::text || push_id,
           requested_at    = now(),
           failures        = least(failures + 1, 100),
           next_attempt_at = now() + interval '1 minute' * least(
                               ${retry_minutes.first} * power(2, least(failures, 20)), ${retry_minutes.most})
    where  push_id = ${push_id} and next_attempt_at <= now()
    returning hub, topic, callback, secret, state`
  return request
}

/** The hub refused the request, or could not be reached. `retry_after_s`: it wants no request of anyone for this long. */
export async function noteRefusedRequest(
  sql: Everyone,
  push_id: string,
  retry_after_s: number | undefined,
): Promise<void> {
  await sql`
    update push_subscriptions
    set    state = 'failed'
    where  push_id = ${push_id} and state = 'pending'`
  if (retry_after_s === undefined) return
  // Two refusals of one hub must not wait for each other's rows. A row that is locked has its own request or refusal just now.
  await sql`
    update push_subscriptions
    set    next_attempt_at = now() + ${retry_after_s} * interval '1 second'
    where  push_id in (
             select push_id
             from   push_subscriptions
             where  hub = (select hub from push_subscriptions where push_id = ${push_id})
             and    next_attempt_at < now() + ${retry_after_s} * interval '1 second'
             for update skip locked)`
}

/** A push that arrived during the check has another `check_at`, so its own check still runs. */
export async function noteCheck(
  sql: Everyone,
  { push_id, found_by, checked, is_fruitless = false, recheck_at }: CheckNote,
): Promise<void> {
  const is_checked = sql`check_at = ${checked ?? null}::timestamptz`
  await sql`
    with noted as (
      update push_subscriptions
      set    pushed_first = pushed_first + ${found_by === 'push' ? 1 : 0},
             polled_first = polled_first + case when ${isPolledFirst(sql, found_by)} then 1 else 0 end,
             streak       = case when ${isPolledFirst(sql, found_by)} then 0
                                 else least(streak + ${found_by === 'push' ? 1 : 0}, 100) end,
             fruitless    = case when ${checked === undefined} then fruitless
                                 when ${is_fruitless} then least(fruitless + 1, 20) else 0 end,
             rechecks     = case when ${is_checked} then rechecks + ${recheck_at ? 1 : 0} else rechecks end,
             check_at     = case when ${is_checked} then ${recheck_at ?? null}::timestamptz else check_at end
      where  push_id = ${push_id}
      returning rss_url, check_at
    )
    select ${addPushedCheck(sql, sql`rss_url`, sql`check_at`)}
    from   noted
    where  check_at = ${recheck_at ?? null}::timestamptz`
}

/** A push that arrived during the poll has announced the videos after all. */
const isPolledFirst = (sql: Sql, found_by: CheckNote['found_by']) => sql`(${found_by === 'poll'} and check_at is null)`

/** The host of the feed was busy: the announced check runs a moment later. */
export const postponeCheck = (sql: Everyone, rss_url: string, seconds: number) => sql`
  select ${addPushedCheck(sql, sql`${rss_url}::text`, sql`now() + ${seconds} * interval '1 second'`)}`
