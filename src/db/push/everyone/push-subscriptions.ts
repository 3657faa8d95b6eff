/**
 * Subscriptions at the hub: which feeds have one, which requests are due, and whether pushes arrive.
 *
 * Of the table's columns, `state`, `requested_at`, `active_since`, `last_push_at`, `last_check_at`, `rechecks`, `pushed_first`,
 * `polled_first` and `fruitless` are those of an earlier version. A later release removes them.
 */
import { jsonText } from '../../../runtime/json.ts'
import { proven_after } from '../../../schema/push/push.ts'
import type { Everyone } from '../../everyone.ts'
import { addPushedCheck, hasNoJob } from '../../queue/jobs.ts'

/** `push_id` and `secret`, the key of the hub's signatures, are secret. */
type NewSubscription = { rss_url: string; hub: string; topic: string; push_id: string; secret: string }

/** A feed that has a subscription keeps it. */
export async function addSubscriptions(sql: Everyone, subscriptions: NewSubscription[]): Promise<void> {
  await sql`
    insert into push_subscriptions (push_id, rss_url, hub, topic, secret)
    select   push_id, rss_url, hub, topic, secret
    from     json_to_recordset(${jsonText(subscriptions)}::text::json) as made (
               push_id text, rss_url text, hub text, topic text, secret text)
    order by rss_url
    on conflict (rss_url) do nothing`
}

/** Called when push is off. The hub gets 410 for what it still sends. */
export async function forgetPushes(sql: Everyone): Promise<void> {
  await sql`delete from push_subscriptions`
}

/**
 * Queues the requests that are due, and forgets the subscriptions due whose feed no one follows. `callbacks`: the address before the id;
 * after a change of PUBLIC_URL, all requests are due. A subscription of an earlier version at another hub is forgotten when it is due.
 */
export async function queueRequests(sql: Everyone, hub: string, callbacks: string): Promise<void> {
  await sql`
    update push_subscriptions
    set    next_attempt_at = now()
    where  callback <> ${callbacks}::text || push_id and next_attempt_at > now()`
  await sql`
    delete from push_subscriptions push
    where  next_attempt_at <= now()
    and    (hub <> ${hub} or not exists (select from channels where channels.rss_url = push.rss_url))`
  await sql`
    select graphile_worker.add_job('subscribe-feed', job_key := 'subscribe-feed', max_attempts := 1)
    where  exists (select from push_subscriptions where next_attempt_at <= now())
    and    ${hasNoJob(sql, sql`'subscribe-feed'`)}`
}

/** Minutes until a request is sent again that the hub has not confirmed, doubled by each one in a row, up to a day. */
const retry_minutes = { first: 15, most: 24 * 60 }

type HubRequest = { topic: string; callback: string; secret: string }

/** Takes the request that is due longest. Saves before it is sent when it would be sent again, so a worker may die at any moment. */
export async function takeRequest(sql: Everyone, callbacks: string): Promise<HubRequest | 'none_due'> {
  const [request] = await sql<HubRequest[]>`
    update push_subscriptions
    set    callback        = ${callbacks}::text || push_id,
           failures        = least(failures + 1, 20),
           next_attempt_at = now() + interval '1 minute' * least(
                               ${retry_minutes.first} * power(2, failures), ${retry_minutes.most})
    where  push_id = (
             select   push_id
             from     push_subscriptions
             where    next_attempt_at <= now()
             order by next_attempt_at
             limit    1
             for update skip locked)
    returning topic, callback, secret`
  return request ?? 'none_due'
}

/** A check has found new videos. */
export async function recordNews(sql: Everyone, rss_url: string, is_announced: boolean): Promise<void> {
  await sql`
    update push_subscriptions
    set    streak = ${is_announced ? sql`least(streak + 1, ${proven_after})` : sql`0`}
    where  rss_url = ${rss_url}`
}

/** The host of the feed was busy: the announced check runs a moment later. */
export const postponeCheck = (sql: Everyone, rss_url: string, seconds: number) => sql`
  select ${addPushedCheck(sql, sql`${rss_url}::text`, sql`now() + ${seconds} * interval '1 second'`)}`
