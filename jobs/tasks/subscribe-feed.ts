/** Sends one request about a subscription to the hub of a feed. Serves all followers of the feed. */
import type { Task } from 'graphile-worker'
import { hostTurns } from '../../src/domain/channels/host-turns.ts'
import { requestOfHub } from '../../src/domain/push/subscribe.ts'
import { SubscribeFeedJob } from '../../src/schema/service/jobs.ts'
import type { TaskParts } from './task.ts'

/**
 * Requests at the same time, per worker process. Any feed can name a hub that hangs, and these jobs share a pool with the checks of
 * feeds. What is more stays due and is queued again in a minute. Renewals have places of their own, so that hubs that hang do not
 * end the subscriptions that work.
 */
const most = { at_a_hub: 2, of_a_kind: 8 }

export function subscribeTask({
  sql,
  push,
  sendToHub,
  log,
}: Pick<TaskParts, 'sql' | 'push' | 'sendToHub' | 'log'>): Task {
  const atHub = hostTurns(most.at_a_hub)
  const ofKind = hostTurns(most.of_a_kind)
  return async (payload, { abortSignal }) => {
    const { push_id, hub_host, renewal } = SubscribeFeedJob.parse(payload)
    if (!push) return
    const request = () => requestOfHub(sql, sendToHub, push, push_id, abortSignal)
    const outcome = await ofKind(renewal ? 'renewals' : 'others', () => atHub(hub_host, request))
    // Without the id of the subscription, which only the hub may know.
    if (outcome?.kind === 'refused') log.info({ hub: outcome.hub, reason: outcome.reason }, 'a hub refused a request')
  }
}
