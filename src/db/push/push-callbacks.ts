/**
 * Subscriptions at the hub, as the callback of the web process knows them: by an id that only the hub knows. They belong to feeds, not
 * to people. `everyone/push-subscriptions.ts` makes and renews them.
 */
import type { Lease } from '../../schema/push/push.ts'
import { firstRow, type Sql } from '../postgres/client.ts'
import { addPushedCheck } from '../queue/jobs.ts'

/** `secret`: the key of the hub's signatures. `is_granted`: the hub has confirmed the subscription, and its lease has not ended. */
type KnownSubscription = { topic: string; secret: string; is_granted: boolean }

export type PushCallbacks = {
  /** `undefined`: there is no subscription with this id, or no one follows its feed any more. */
  find(push_id: string): Promise<KnownSubscription | undefined>
  /** The hub has confirmed a subscription, or has refused it: then the lease is 0. */
  recordLease(push_id: string, lease: Lease): Promise<void>
  /** The hub has announced a change: the feed is checked now, or after `window_s`. */
  recordDelivery(push_id: string): Promise<void>
}

/** Seconds between two checks of a feed because of pushes. All pushes in between lead to one check, after that time. */
export const window_s = 60

export const pushCallbacksIn = (sql: Sql): PushCallbacks => ({
  find: push_id =>
    firstRow(sql<KnownSubscription[]>`
      select topic, secret, coalesce(lease_until > now(), false) as is_granted
      from   push_subscriptions push
      where  push_id = ${push_id}
      and    exists (select from channels where channels.rss_url = push.rss_url)`),

  // After a gap between two leases, the hub has to prove itself again.
  async recordLease(push_id, { lease_s, ask_again_s }) {
    await sql`
      update push_subscriptions
      set    failures        = 0,
             streak          = case when lease_until > now() then streak else 0 end,
             lease_until     = now() + ${lease_s} * interval '1 second',
             next_attempt_at = now() + ${ask_again_s} * interval '1 second'
      where  push_id = ${push_id}`
  },

  // A check that waits deals with all pushes before it. One that has begun may have fetched the feed before this change.
  async recordDelivery(push_id) {
    const run_at = sql`greatest(now(), check_at + ${window_s} * interval '1 second')`
    await sql`
      with job as (
        select (${addPushedCheck(sql, sql`rss_url`, run_at)}).run_at
        from   push_subscriptions
        where  push_id = ${push_id} and coalesce(check_at <= now(), true)
      )
      update push_subscriptions
      set    check_at = job.run_at
      from   job
      where  push_id = ${push_id}`
  },
})
