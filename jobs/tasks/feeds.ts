/** Refreshes feeds, and subscribes to them at hubs. Each job serves everyone who follows its feed. */
import type { Task } from 'graphile-worker'
import { feedsTogether } from '../../src/db/channels/everyone/feeds.ts'
import { postponeCheck } from '../../src/db/push/everyone/push-subscriptions.ts'
import { hostTurns } from '../../src/domain/channels/host-turns.ts'
import { refreshForFollowers } from '../../src/domain/channels/refresh-for-followers.ts'
import { requestOfHub } from '../../src/domain/push/subscriptions.ts'
import { RefreshFeedJob, SubscribeFeedJob } from '../../src/schema/service/jobs.ts'
import type { TaskParts } from './task-parts.ts'

/** Requests to one host at the same time, per worker process. A feed of a busy host stays due and is queued again in a minute. */
const max_at_a_host = 2
/** Checks that a hub announced have places of their own, so that a pass over many feeds does not delay them. */
const max_pushed_at_a_host = 2
/** Seconds until an announced check of a busy host is tried again. */
const pushed_retry_s = 2

type FeedTaskParts = Pick<TaskParts, 'sql' | 'fetchChanges' | 'refresh_interval_minutes' | 'log'> &
  Partial<Pick<TaskParts, 'max_videos' | 'push'>>

/** Refreshes one feed. A failure is recorded with the channels of its followers. */
export function refreshFeedTask({
  sql,
  fetchChanges,
  refresh_interval_minutes: base_minutes,
  max_videos = 0,
  push,
  log,
}: FeedTaskParts): Task {
  const atHost = hostTurns(max_at_a_host)
  const atPushedHost = hostTurns(max_pushed_at_a_host)
  const feeds = feedsTogether(sql, max_videos)
  const parts = { everyone: sql, feeds, fetchChanges, push, base_minutes }
  return async (payload, { abortSignal }) => {
    const { rss_url, pushed = false } = RefreshFeedJob.parse(payload)
    let has_turn = false
    const turn = () => {
      has_turn = true
      return refreshForFollowers(parts, rss_url, abortSignal)
    }
    const inTurn = pushed ? atPushedHost : atHost
    const outcome = await feeds.during(() => inTurn(new URL(rss_url).host, turn))
    if (pushed && !has_turn) await postponeCheck(sql, rss_url, pushed_retry_s)
    if (!outcome) return log.debug({ rss_url }, 'the feed is not due, or its host is busy')
    if (outcome.kind !== 'failed') return
    log.info({ rss_url, reason: outcome.fetch_error }, 'a feed could not be refreshed')
    if (outcome.cause) log.error({ rss_url, err: outcome.cause }, 'a feed failed by our own fault')
  }
}

/** Requests to one hub at the same time, per worker process. */
const max_at_a_hub = 2
/** Renewals at the same time, and other requests at the same time, per worker process, so that hubs that hang do not end subscriptions. */
const max_of_a_kind = 8

/**
 * Sends one request about a subscription to the hub of a feed. Any feed can name a hub that hangs, and these jobs share a pool with the
 * checks of feeds, so few run at once. More requests stay due and are queued again in a minute.
 */
export function subscribeTask({
  sql,
  push,
  sendToHub,
  log,
}: Pick<TaskParts, 'sql' | 'push' | 'sendToHub' | 'log'>): Task {
  const atHub = hostTurns(max_at_a_hub)
  const ofKind = hostTurns(max_of_a_kind)
  return async (payload, { abortSignal }) => {
    const { push_id, hub_host, renewal } = SubscribeFeedJob.parse(payload)
    if (!push) return
    const request = () => requestOfHub(sql, sendToHub, push, push_id, abortSignal)
    const outcome = await ofKind(renewal ? 'renewals' : 'others', () => atHub(hub_host, request))
    // Logged without the id of the subscription, which only the hub may know.
    if (outcome?.kind === 'refused') log.info({ hub: outcome.hub, reason: outcome.reason }, 'a hub refused a request')
  }
}
