/**
 * What a hub sends to the callback of a subscription (WebSub). A signed delivery is a reason to check the feed now, and nothing else: its
 * content is not read. A request that verifies one of ours is answered.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PushCallbacks } from '../../db/push/push-callbacks.ts'
import type { Lease } from '../../schema/push/push.ts'

/** Bytes. A hub may send the whole feed; a larger one is checked by the clock. */
const max_delivery_bytes = 1024 * 1024

/** `checked`: the feed is checked now. `ignored`: the signature is missing or wrong. */
export type Delivery = 'checked' | 'ignored' | 'gone' | 'too_large'

export async function receiveDelivery(
  callbacks: Pick<PushCallbacks, 'find' | 'recordDelivery'>,
  push_id: string,
  signature: string | undefined,
  body: AsyncIterable<Uint8Array>,
): Promise<Delivery> {
  const subscription = await callbacks.find(push_id)
  if (!subscription?.is_granted) return 'gone'
  const check = signatureCheck(signature, subscription.secret)
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
  await callbacks.recordDelivery(push_id)
  return 'checked'
}

/** Checks the signature of a delivery while its body arrives, so that the body is never kept in memory. */
type SignatureCheck = {
  add(piece: Uint8Array): void
  /** Whether the hub that knows the secret signed exactly these bytes. Called once, after the last piece. */
  matches(): boolean
}

/** `header`: `method=hexadecimal digest` (WebSub §7). `undefined`: there is no signature that could be right. */
export function signatureCheck(header: string | undefined, secret: string): SignatureCheck | undefined {
  const [, method, digest = ''] = /^\s*(sha1|sha256|sha384|sha512)=([0-9a-f]+)\s*$/i.exec(header ?? '') ?? []
  if (method === undefined) return undefined
  const hmac = createHmac(method, secret)
  const given = Buffer.from(digest.toLowerCase())
  return {
    add: piece => void hmac.update(piece),
    matches() {
      const right = Buffer.from(hmac.digest('hex'))
      return given.length === right.length && timingSafeEqual(given, right)
    },
  }
}

/** Characters; hubs send 20 to 64. */
const max_challenge = 1000

const hour_s = 3600
const day_s = 24 * hour_s

/** The lease is a day if the hub gives none, and at most 14 days. It is renewed after its half, at most every hour. */
export function leaseOf(given: string | null): Lease {
  const is_given = given !== null && /^\d{1,12}$/.test(given) && Number(given) > 0
  const lease_s = Math.min(is_given ? Number(given) : day_s, 14 * day_s)
  return { lease_s, ask_again_s: Math.max(Math.floor(lease_s / 2), hour_s) }
}

/** A hub may refuse a subscription at any time. */
const refused: Lease = { lease_s: 0, ask_again_s: day_s }

/** `body`: sent as plain text. 410: this subscription does not exist any more. 404: it is not wanted in this way. */
type HubReply = { status: 200; body: string } | { status: 404 | 410 }

/**
 * A hub verifies our request, or refuses it (WebSub §5.3). What it sends is never trusted: it can only confirm what we have requested. We
 * never end a subscription: without one, a delivery gets 410.
 */
export async function answerHub(
  callbacks: Pick<PushCallbacks, 'find' | 'recordLease'>,
  push_id: string,
  query: URLSearchParams,
): Promise<HubReply> {
  const subscription = await callbacks.find(push_id)
  if (!subscription) return { status: 410 }
  if (query.get('hub.topic') !== subscription.topic) return { status: 404 }
  const mode = query.get('hub.mode')
  const challenge = query.get('hub.challenge') ?? ''
  if (mode === 'denied') {
    await callbacks.recordLease(push_id, refused)
    return { status: 200, body: '' }
  }
  if (mode !== 'subscribe' || challenge === '' || challenge.length > max_challenge) return { status: 404 }
  await callbacks.recordLease(push_id, leaseOf(query.get('hub.lease_seconds')))
  return { status: 200, body: challenge }
}
