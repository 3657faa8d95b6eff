/**
 * Subscriptions at hubs, as the callback of the web process knows them: by an id that only the hub knows. They belong to feeds, not
 * to people. `everyone/push-subscriptions.ts` makes, renews and ends them.
 */
import type { Renewal } from '../../schema/push/push.ts'
import type { Sql } from '../postgres/client.ts'
import { addPushedCheck, feedJobKey } from '../queue/jobs.ts'

export type PushCallbacks = {
  /** The key of the hub's signatures; `undefined`: there is no active subscription with this id. */
  secretOf(push_id: string): Promise<string | undefined>
  /** Whether a subscription with this id may exist at a hub. */
  isKnown(push_id: string): Promise<boolean>
  /** The hub has confirmed a subscription. `false`: we did not request it. */
  confirm(push_id: string, topic: string, renewal: Renewal): Promise<boolean>
  /** The hub has confirmed the end of a subscription. `false`: we did not request it. */
  confirmEnd(push_id: string, topic: string): Promise<boolean>
  /** The hub refuses a subscription, at any time. `false`: there is none. */
  deny(push_id: string, topic: string): Promise<boolean>
  /** The hub has announced a change: the feed is checked now. `false`: the subscription has ended meanwhile. */
  noteDelivery(push_id: string): Promise<boolean>
}

/**
 * Seconds between two checks of a feed because of pushes, doubled by each check in a row that found nothing. Pushes in between lead to
 * one check after that time. So a hub that announces nothing new cannot make us fetch a feed, or what it redirects to, without end.
 */
export const push_window_s = { first: 10, most: 900 }

/** Hours until a denied subscription is requested again, doubled by each denial in a row, up to a month. */
const denied_hours = { first: 24, most: 24 * 30 }

export const pushCallbacksIn = (sql: Sql): PushCallbacks => ({
  async secretOf(push_id) {
    const [found] = await sql<{ secret: string }[]>`
      select secret from push_subscriptions where push_id = ${push_id} and state = 'active'`
    return found?.secret
  },

  async isKnown(push_id) {
    const [found] = await sql`select from push_subscriptions where push_id = ${push_id}`
    return found !== undefined
  },

  // A hub may ask twice, because an answer was lost. So an active subscription is confirmed again.
  async confirm(push_id, topic, { lease_s, renew_after_s }) {
    const { count } = await sql`
      update push_subscriptions
      set    state           = 'active',
             failures        = 0,
             active_since    = case when state = 'active' and lease_until > now() then active_since else now() end,
             lease_until     = now() + ${lease_s} * interval '1 second',
             next_attempt_at = now() + ${renew_after_s} * interval '1 second'
      where  push_id = ${push_id} and topic = ${topic}
      and    state in ('pending', 'active', 'failed') and callback is not null`
    return count > 0
  },

  async confirmEnd(push_id, topic) {
    const { count } = await sql`
      delete from push_subscriptions
      where  push_id = ${push_id} and topic = ${topic} and state = 'ending'`
    return count > 0
  },

  async deny(push_id, topic) {
    const { count } = await sql`
      update push_subscriptions
      set    state           = case when state = 'ending' then state else 'denied' end,
             next_attempt_at = greatest(next_attempt_at, now() + interval '1 hour' * least(
                                 ${denied_hours.first} * power(2, greatest(least(failures, 20) - 1, 0)),
                                 ${denied_hours.most}))
      where  push_id = ${push_id} and topic = ${topic} and callback is not null`
    return count > 0
  },

  async noteDelivery(push_id) {
    // A check that runs may have fetched the feed before this change.
    const isRunning = sql`
      exists (select from graphile_worker.jobs where key = ${feedJobKey(sql, sql`push.rss_url`)} and locked_at is not null)`
    const window = sql`
      least(${push_window_s.first} * power(2, fruitless), ${push_window_s.most}) * interval '1 second'`
    const rows = await sql`
      with due as (
        -- To the millisecond, so that it is the same in our code.
        select date_trunc('milliseconds', case
                 when check_at <= now() + ${window} and not (check_at <= now() and ${isRunning}) then check_at
                 else greatest(now(), last_check_at + ${window}) end) as check_at,
               check_at as former
        from   push_subscriptions push
        where  push_id = ${push_id} and state = 'active'
        for update of push
      ),
      noted as (
        update push_subscriptions
        set    last_push_at = now(), check_at = due.check_at, last_check_at = due.check_at,
               -- A push that a planned check deals with does not begin the repetitions of that check again.
               rechecks = case when due.check_at = due.former then rechecks else 0 end
        from   due
        where  push_id = ${push_id}
        returning rss_url, due.check_at
      )
      select ${addPushedCheck(sql, sql`rss_url`, sql`check_at`)} from noted`
    return rows.length > 0
  },
})
