/**
 * Answers a hub that verifies a request of ours, or reports that it refuses one (WebSub §5.3). Deliveries: `delivery.ts`.
 * What a hub sends is never trusted: it can only confirm what we have requested.
 */
import type { PushCallbacks } from '../../db/push/push-callbacks.ts'
import type { Renewal } from '../../schema/push/push.ts'
import { max_address } from '../../schema/values/stored.ts'

export type HubQuestion =
  /** `lease_s`: absent where the hub gives none, or none that can be read. */
  | { mode: 'subscribe'; topic: string; challenge: string; lease_s?: number }
  | { mode: 'unsubscribe'; topic: string; challenge: string }
  | { mode: 'denied'; topic: string }

/** Characters; hubs send 20 to 64. */
const max_challenge = 1000

/** `undefined`: not a request of a hub. */
export function questionIn(query: URLSearchParams): HubQuestion | undefined {
  const [mode, topic, challenge] = ['mode', 'topic', 'challenge'].map(name => query.get(`hub.${name}`) ?? '')
  if (!topic || topic.length > max_address) return undefined
  if (mode === 'denied') return { mode, topic }
  if (!challenge || challenge.length > max_challenge) return undefined
  if (mode === 'unsubscribe') return { mode, topic, challenge }
  if (mode !== 'subscribe') return undefined
  const lease = query.get('hub.lease_seconds') ?? ''
  return { mode, topic, challenge, ...(/^\d{1,12}$/.test(lease) && Number(lease) > 0 && { lease_s: Number(lease) }) }
}

const hour_s = 3600
const day_s = 24 * hour_s

/** Without a lease, a day. A longer one than 14 days is not believed. It is renewed at half its time, at most every hour. */
export function renewalOf(given_s: number | undefined): Renewal {
  const lease_s = Math.min(given_s ?? day_s, 14 * day_s)
  return { lease_s, renew_after_s: Math.max(Math.floor(lease_s / 2), hour_s) }
}

/** `body`: sent as plain text. 410: this subscription does not exist any more. 404: it is not wanted in this way. */
export type HubReply = { status: 200; body: string } | { status: 404 | 410 }

export async function answerHub(callbacks: PushCallbacks, push_id: string, query: URLSearchParams): Promise<HubReply> {
  const question = questionIn(query)
  if (question) {
    const { mode, topic } = question
    if (mode === 'denied' && (await callbacks.deny(push_id, topic))) return { status: 200, body: '' }
    if (mode === 'subscribe' && (await callbacks.confirm(push_id, topic, renewalOf(question.lease_s))))
      return { status: 200, body: question.challenge }
    if (mode === 'unsubscribe' && (await callbacks.confirmEnd(push_id, topic)))
      return { status: 200, body: question.challenge }
  }
  return { status: (await callbacks.isKnown(push_id)) ? 404 : 410 }
}
