/**
 * Keeps the subscriptions of YouTube's channels at YouTube's hub, which then announces their new videos (WebSub, a W3C Recommendation of
 * 2018). One hub, so that no feed can name an address to which we send requests.
 *
 * Hubs stop without a word, so a feed is always checked by the clock too: more slowly once pushes have announced new videos twice in
 * a row, and at the usual pace again as soon as a check by the clock finds videos that no push announced.
 */
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { Config } from '../../config/config.ts'
import type { Everyone } from '../../db/everyone.ts'
import {
  addSubscriptions,
  forgetPushes,
  queueRequests,
  recordNews,
  takeRequest,
} from '../../db/push/everyone/push-subscriptions.ts'
import { youtube_hub, youtubeTopicOf } from '../../feed/platforms/youtube-channel.ts'
import { isPublic, isPublicName } from '../../net/addresses.ts'
import { type Pushes, proven_after } from '../../schema/push/push.ts'
import { deliveryOf, type Post } from '../../senders/post.ts'

/**
 * The address of callbacks, without the id at its end; `undefined`: push is off. The hub must be able to call it. Without checks by the
 * clock there is no push either: nothing would notice that the hub has stopped.
 */
export function callbacksOf(config: Pick<Config, 'PUBLIC_URL' | 'REFRESH_INTERVAL_MINUTES'>): string | undefined {
  const { PUBLIC_URL, REFRESH_INTERVAL_MINUTES } = config
  if (PUBLIC_URL === undefined || REFRESH_INTERVAL_MINUTES === 0) return undefined
  return isCalledFromOutside(new URL(PUBLIC_URL)) ? new URL('push/', `${PUBLIC_URL}/`).href : undefined
}

function isCalledFromOutside({ protocol, hostname }: URL): boolean {
  if (protocol !== 'https:') return false
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) > 0 ? isPublic(host) : isPublicName(host)
}

type PushParts = { sql: Everyone; callbacks?: string | undefined }

/** Called every minute: keeps the subscriptions at the hub, by the requests that are due. `callbacks`: `undefined` where push is off. */
export const queuePushes = ({ sql, callbacks }: PushParts): Promise<void> =>
  callbacks === undefined ? forgetPushes(sql) : queueRequests(sql, youtube_hub, callbacks)

/** The hub gets a request for those of these feeds that it announces, at the next minute. */
export async function subscribe(everyone: Everyone, rss_urls: string[]): Promise<void> {
  const made = [...new Set(rss_urls)].flatMap(rss_url => {
    const topic = youtubeTopicOf(rss_url)
    // WebSub allows secrets of fewer than 200 bytes.
    const secrets = { push_id: randomBytes(24).toString('base64url'), secret: randomBytes(32).toString('hex') }
    return topic === undefined ? [] : [{ rss_url, hub: youtube_hub, topic, ...secrets }]
  })
  if (made.length > 0) await addSubscriptions(everyone, made)
}

/** Ten days, the longest that common hubs grant. */
const lease_s = 10 * 24 * 3600

/** `accepted`: the hub will confirm the request, at the callback. */
type HubOutcome = 'none_due' | 'accepted' | { refused: string }

/**
 * Sends the request that is due longest: to subscribe, or to renew a subscription. Throws when the database cannot be reached, or when
 * `signal` is aborted.
 */
export async function sendNextRequest(
  everyone: Everyone,
  sendToHub: Post,
  callbacks: string,
  signal: AbortSignal | undefined,
): Promise<HubOutcome> {
  const due = await takeRequest(everyone, callbacks)
  if (due === 'none_due') return due
  const fields = {
    'hub.mode': 'subscribe',
    'hub.topic': due.topic,
    'hub.callback': due.callback,
    // Hubs older than the standard demand it.
    'hub.verify': 'async',
    'hub.lease_seconds': String(lease_s),
    'hub.secret': due.secret,
  }
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(fields).toString()
  const answer = deliveryOf(await sendToHub(youtube_hub, { headers, body }, signal))
  return answer.delivered ? 'accepted' : { refused: answer.detail }
}

const minute_ms = 60_000

/**
 * The site may serve an old copy of the feed for a while. So within the first minute after a push, a check that finds nothing new is
 * repeated after a minute, and within five minutes after five.
 */
const recheck_minutes = [1, 5]

/** When a feed is checked again because a push announced something, and the check found nothing new; `undefined`: as usual. */
export function recheckAt({ check_at }: Pushes, now: Date): Date | undefined {
  if (check_at === null) return undefined
  const since_push = now.getTime() - check_at.getTime()
  const minutes = recheck_minutes.find(most => since_push < most * minute_ms)
  return minutes === undefined ? undefined : new Date(now.getTime() + minutes * minute_ms)
}

/** Minutes in which the checks after a push find what it announced. */
const announced_minutes = 10

/** Whether a push announced the new videos that a check finds now. */
export const isAnnounced = ({ check_at }: Pushes, now: Date): boolean =>
  check_at !== null && now.getTime() - check_at.getTime() < announced_minutes * minute_ms

/** Whether the hub has proven that it announces the new videos of a feed. */
export const isProven = ({ streak }: Pushes): boolean => streak >= proven_after

/** After a check that worked: subscribes to the feed, or records who was first, the hub or the clock. Most checks then send no query. */
export async function recordCheck(
  everyone: Everyone,
  rss_url: string,
  pushes: Pushes,
  { has_news, now }: { has_news: boolean; now: Date },
): Promise<void> {
  if (!pushes.is_subscribed) return subscribe(everyone, [rss_url])
  const is_announced = isAnnounced(pushes, now)
  if (has_news && (is_announced || pushes.streak > 0)) await recordNews(everyone, rss_url, is_announced)
}
