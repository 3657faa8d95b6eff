/** Refreshes feeds, and subscribes to them at the hub. Each job serves everyone who follows its feed. */
import type { Task } from 'graphile-worker'
import { feedsTogether } from '../../src/db/channels/everyone/feeds.ts'
import { postponeCheck } from '../../src/db/push/everyone/push-subscriptions.ts'
import { hostTurns } from '../../src/domain/channels/host-turns.ts'
import { refreshForFollowers } from '../../src/domain/channels/refresh-for-followers.ts'
import { sendNextRequest } from '../../src/domain/push/subscriptions.ts'
import { RefreshFeedJob } from '../../src/schema/service/jobs.ts'
import { type TaskParts, taskOf } from './task-parts.ts'

/** Requests to one host at the same time, per worker process. A feed of a busy host stays due and is queued again in a minute. */
const max_at_a_host = 2
/** Checks that the hub announced have places of their own, so that a pass over many feeds does not delay them. */
const max_pushed_at_a_host = 2
/** Seconds until an announced check of a busy host is tried again. */
const pushed_retry_s = 2

type FeedTaskParts = Pick<TaskParts, 'sql' | 'fetchChanges' | 'refresh_interval_minutes' | 'log'> &
  Partial<Pick<TaskParts, 'callbacks'>>

/** Refreshes one feed. A failure is recorded with the channels of its followers. */
export function refreshFeedTask({
  sql,
  fetchChanges,
  refresh_interval_minutes: base_minutes,
  callbacks,
  log,
}: FeedTaskParts): Task {
  const atHost = hostTurns(max_at_a_host)
  const atPushedHost = hostTurns(max_pushed_at_a_host)
  const feeds = feedsTogether(sql)
  const parts = { everyone: sql, feeds, fetchChanges, callbacks, base_minutes }
  return taskOf(RefreshFeedJob, async (job, signal) => {
    const { rss_url, pushed = false } = job
    const inTurn = pushed ? atPushedHost : atHost
    const outcome = await feeds.during(() =>
      inTurn(new URL(rss_url).host, () => refreshForFollowers(parts, job, signal)),
    )
    if (outcome === 'busy') {
      if (pushed) await postponeCheck(sql, rss_url, pushed_retry_s)
      return log.debug({ rss_url }, 'the host of the feed is busy')
    }
    if (!outcome) return log.debug({ rss_url }, 'the feed is not due')
    if (outcome.kind !== 'failed') {
      const { moved_to } = outcome
      return moved_to && log.info({ rss_url, moved_to }, 'a feed has moved to a new address for good')
    }
    log.info({ rss_url, reason: outcome.fetch_error }, 'a feed could not be refreshed')
    if (outcome.cause) log.error({ rss_url, err: outcome.cause }, 'a feed failed by our own fault')
  })
}

/** Requests to the hub in a minute. So 9,000 new subscriptions take 2.5 hours. */
const max_requests = 60

type SubscribeParts = Pick<TaskParts, 'sql' | 'callbacks' | 'sendToHub' | 'log'>

/**
 * Sends the requests to the hub that are due, one after the other. When the hub refuses one, or is away, the others wait until the next
 * minute.
 */
export function subscribeTask({ sql, callbacks, sendToHub, log }: SubscribeParts): Task {
  return async (_, { abortSignal }) => {
    if (callbacks === undefined) return
    for (let sent = 0; sent < max_requests; sent++) {
      const outcome = await sendNextRequest(sql, sendToHub, callbacks, abortSignal)
      if (outcome === 'none_due') return
      // Logged without the id of the subscription, which only the hub may know.
      if (outcome !== 'accepted') return log.info({ reason: outcome.refused }, 'the hub refused a request')
    }
  }
}
