/** Sends one request about a subscription to the hub of a feed. Serves all followers of the feed. */
import type { Task } from 'graphile-worker'
import { beginRequest, forgetPush, noteRefusedRequest } from '../../src/db/across/push-subscriptions.ts'
import { type HubRequests, requestOfHub } from '../../src/domain/push/subscribe.ts'
import { SubscribeFeedJob } from '../../src/schema/jobs.ts'
import type { TaskParts } from './task.ts'

export function subscribeTask({
  sql,
  push,
  sendToHub,
  log,
}: Pick<TaskParts, 'sql' | 'push' | 'sendToHub' | 'log'>): Task {
  return async (payload, { abortSignal }) => {
    const { push_id } = SubscribeFeedJob.parse(payload)
    if (!push) return
    const requests: HubRequests = {
      begin: id => beginRequest(sql, id, push.callbacks),
      refused: (id, retry_after_s) => noteRefusedRequest(sql, id, retry_after_s),
      forget: id => forgetPush(sql, id),
    }
    const isUsable = (hub: Parameters<typeof push.usable>[0]) => push.usable(hub)?.hub === hub.hub
    const outcome = await requestOfHub(requests, sendToHub, isUsable, push_id, abortSignal)
    // Without the id of the subscription, which only the hub may know.
    if (outcome?.kind === 'refused') log.info({ hub: outcome.hub, reason: outcome.reason }, 'a hub refused a request')
  }
}
