/**
 * Keeps the subscriptions of feeds at hubs: sends requests to hubs, and judges hubs by the checks of feeds.
 *
 * Hubs stop without a word, so a feed is always checked by the clock too: more slowly once pushes have announced new videos twice in
 * a row, and at the usual pace again as soon as a check by the clock finds videos that no push announced.
 */
import { randomBytes } from 'node:crypto'
import type { SavedFor } from '../../db/channels/everyone/save-for-followers.ts'
import type { Everyone } from '../../db/everyone.ts'
import {
  beginRequest,
  endPush,
  forgetPush,
  type HubRequest,
  type NewSubscription,
  noteCheck,
  noteRefusedRequest,
  useHubs,
} from '../../db/push/everyone/push-subscriptions.ts'
import { DomainError } from '../../errors.ts'
import type { SendToHub } from '../../feed/fetch/send-to-hub.ts'
import type { CheckNote, Subscription } from '../../schema/push/push.ts'
import type { Feed, FeedHub } from '../../schema/sources/feed.ts'
import { hubFor, type PushSettings } from './hubs.ts'

export type CheckedFeed = {
  rss_url: string
  /** The subscription before the check. */
  push: Subscription | undefined
  last_fetched_at: Date | null
  /** The feed that was read; undefined: it has not changed, or could not be read. */
  feed?: Feed
  /** For each follower; empty: nothing was saved. */
  saved: SavedFor[]
  is_failed: boolean
  /** The host wants fewer requests. */
  is_refused: boolean
}

/**
 * After a check of a feed: notes what the check says about the hub of the feed, and which hub the feed names now. Most checks find
 * nothing to note, and then send no query. `settings` undefined: push is off.
 */
export async function notePush(
  everyone: Everyone,
  settings: PushSettings | undefined,
  checked: CheckedFeed,
  now: Date,
): Promise<void> {
  const { rss_url, push, last_fetched_at, feed, saved, is_failed, is_refused } = checked
  const { has_news, has_changes } = newsIn(saved)
  const note =
    push && noteOfCheck(push, { has_news, is_enough: has_changes || is_refused, before: last_fetched_at, now })
  if (note) await noteCheck(everyone, note)
  if (!settings || is_failed) return
  const wanted = hubFor(settings, rss_url, feed)
  if (wanted === null && push && push.state !== 'ending') await endPush(everyone, push.push_id)
  if (wanted && !(push && isAt(push, wanted))) await useHubs(everyone, [newSubscription(rss_url, wanted)])
}

const isAt = ({ hub, topic, state }: Subscription, wanted: FeedHub) =>
  hub === wanted.hub && topic === wanted.topic && state !== 'ending'

const newsIn = (results: SavedFor[]) => {
  const saved = results.flatMap(result => ('saved' in result ? [result.saved] : []))
  return {
    has_news: saved.some(({ inserted }) => inserted > 0),
    has_changes: saved.some(({ updated }) => updated > 0),
  }
}

/** WebSub allows secrets of fewer than 200 bytes. */
const newSubscription = (rss_url: string, { hub, topic }: FeedHub): NewSubscription => ({
  ...{ rss_url, hub, topic },
  push_id: randomBytes(24).toString('base64url'),
  secret: randomBytes(32).toString('hex'),
})

/** Subscriptions of new feeds whose address alone tells their hub, so that these feeds need no check before. */
export const subscriptionsByAddress = (settings: PushSettings, rss_urls: string[]): NewSubscription[] =>
  [...new Set(rss_urls)].flatMap(rss_url => {
    const hub = hubFor(settings, rss_url, undefined)
    return hub ? [newSubscription(rss_url, hub)] : []
  })

/** Checks in a row that found new videos because of a push. */
const proven_after = 2

const isActive = ({ state, lease_until }: Subscription, now: Date): boolean =>
  state === 'active' && lease_until !== null && lease_until > now

/** Whether the hub of a feed has proven that it announces new videos. */
export const isProven = (push: Subscription, now: Date): boolean => isActive(push, now) && push.streak >= proven_after

/** Seconds after a check that found nothing new, although a push was signed: the copy that the site served may have been an old one. */
const recheck_after_s = [60, 300]

export type CheckResult = {
  /** New videos were found. */
  has_news: boolean
  /** Known videos have changed, which a hub announces too, or the host wants fewer requests. */
  is_enough: boolean
  /** The check before this one. Null: this is the first one. */
  before: Date | null
  now: Date
}

/** What a check of the feed says about its hub; `undefined`: there is nothing to note. */
export function noteOfCheck(
  push: Subscription,
  { has_news, is_enough, before, now }: CheckResult,
): CheckNote | undefined {
  const { push_id, check_at, rechecks } = push
  if (check_at !== null && has_news) return { push_id, found_by: 'push', checked: check_at }
  if (check_at !== null && check_at <= now) {
    const wait_s = is_enough ? undefined : recheck_after_s[rechecks]
    const recheck_at = wait_s === undefined ? undefined : new Date(now.getTime() + wait_s * 1000)
    return { push_id, checked: check_at, ...(!is_enough && { is_fruitless: true }), ...(recheck_at && { recheck_at }) }
  }
  // Only videos that appeared while the hub was already announcing count against it.
  const could_announce =
    isActive(push, now) && before !== null && push.active_since !== null && push.active_since < before
  return check_at === null && has_news && could_announce ? { push_id, found_by: 'poll' } : undefined
}

/** Ten days, the longest that common hubs grant. */
const lease_s = 10 * 24 * 3600

/** `accepted`: the hub will confirm it. `unusable`: since the subscription was made, the configuration has excluded its hub. */
export type HubOutcome =
  | { hub: string; kind: 'accepted' | 'unusable' }
  | { hub: string; kind: 'refused'; reason: string }

/**
 * Sends one request to a hub: to subscribe, to renew or to end a subscription. The hub confirms it later, at the callback.
 * `undefined`: no request was due. Throws when the database cannot be reached, or when `signal` is aborted.
 */
export async function requestOfHub(
  everyone: Everyone,
  sendToHub: SendToHub,
  push: PushSettings,
  push_id: string,
  signal?: AbortSignal,
): Promise<HubOutcome | undefined> {
  const due = await beginRequest(everyone, push_id, push.callbacks)
  if (!due) return undefined
  const { hub } = due
  if (push.usable(due)?.hub !== hub) {
    await forgetPush(everyone, push_id)
    return { hub, kind: 'unusable' }
  }
  try {
    const { status, retry_after_s } = await sendToHub(hub, fieldsOf(due), signal)
    if (status >= 200 && status < 300) return { hub, kind: 'accepted' }
    await noteRefusedRequest(everyone, push_id, retry_after_s)
    return { hub, kind: 'refused', reason: `status ${status}` }
  } catch (fault) {
    signal?.throwIfAborted()
    if (!(fault instanceof DomainError)) throw fault
    await noteRefusedRequest(everyone, push_id, undefined)
    return { hub, kind: 'refused', reason: fault.message }
  }
}

const fieldsOf = ({ topic, callback, secret, state }: HubRequest): Record<string, string> => ({
  'hub.mode': state === 'ending' ? 'unsubscribe' : 'subscribe',
  'hub.topic': topic,
  'hub.callback': callback,
  // Hubs older than the standard demand it.
  'hub.verify': 'async',
  ...(state !== 'ending' && { 'hub.lease_seconds': String(lease_s), 'hub.secret': secret }),
})
