/**
 * What a hub sends to the callback of a subscription (WebSub). A signed delivery is a reason to check the feed now, and nothing else: its
 * content is not read. A request that verifies one of ours is answered.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PushCallbacks } from '../../db/push/push-callbacks.ts'
import type { Renewal } from '../../schema/push/push.ts'
import { max_address } from '../../schema/values/stored.ts'

/** Bytes. A hub may send the whole feed; a larger one is checked by the clock. */
const max_delivery_bytes = 1024 * 1024

/** `checked`: the feed is checked now. `ignored`: the signature is missing or wrong. */
export type Delivery = 'checked' | 'ignored' | 'gone' | 'too_large'

export async function receiveDelivery(
  callbacks: Pick<PushCallbacks, 'secretOf' | 'noteDelivery'>,
  push_id: string,
  signature: string | undefined,
  body: AsyncIterable<Uint8Array>,
): Promise<Delivery> {
  const secret = await callbacks.secretOf(push_id)
  if (secret === undefined) return 'gone'
  const check = signatureCheck(signature, secret)
  let size = 0
  // Without a signature the body is still read, because a client that is sending does not hear an early answer.
  try {
    for await (const piece of body) {
      size += piece.length
      if (size > max_delivery_bytes) return 'too_large'
      check?.add(piece)
    }
  } catch {
    // The connection broke, so no one hears the answer.
    return 'ignored'
  }
  if (!check?.matches()) return 'ignored'
  return (await callbacks.noteDelivery(push_id)) ? 'checked' : 'gone'
}

/** The methods of WebSub §7, and the bytes of their digests. */
const methods: Record<string, number> = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 }

/** Checks the signature of a delivery while its body arrives, so that the body is never kept in memory. */
type SignatureCheck = {
  add(piece: Uint8Array): void
  /** Whether the hub that knows the secret signed exactly these bytes. Called once, after the last piece. */
  matches(): boolean
}

/** `header`: `method=hexadecimal digest`. `undefined`: there is no signature that could be right. */
export function signatureCheck(header: string | undefined, secret: string): SignatureCheck | undefined {
  const [, method = '', digest = ''] = /^\s*(sha\d{1,3})=([0-9a-f]{40,128})\s*$/i.exec(header ?? '') ?? []
  const name = method.toLowerCase()
  if (!Object.hasOwn(methods, name) || digest.length !== 2 * (methods[name] ?? 0)) return undefined
  const hmac = createHmac(name, secret)
  return {
    add: piece => void hmac.update(piece),
    matches: () => timingSafeEqual(hmac.digest(), Buffer.from(digest, 'hex')),
  }
}

/** A hub verifies a request of ours, or reports that it refuses a request (WebSub §5.3). */
type HubQuestion =
  /** `lease_s`: absent where the hub gives no readable lease. */
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

/** A lease is a day if the hub gives none, and at most 14 days. The subscription is renewed after half the lease, at most every hour. */
export function renewalOf(given_s: number | undefined): Renewal {
  const lease_s = Math.min(given_s ?? day_s, 14 * day_s)
  return { lease_s, renew_after_s: Math.max(Math.floor(lease_s / 2), hour_s) }
}

/** `body`: sent as plain text. 410: this subscription does not exist any more. 404: it is not wanted in this way. */
type HubReply = { status: 200; body: string } | { status: 404 | 410 }

/** What a hub sends is never trusted: a hub can only confirm what we have requested. */
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
