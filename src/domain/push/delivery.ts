/**
 * Receives what a hub delivers. A signed delivery is a reason to check the feed now, and nothing else: its content is not read.
 */
import type { PushCallbacks } from '../../db/push/push-callbacks.ts'
import { signatureCheck } from './signature.ts'

/** Bytes. A hub may send the whole feed; a larger one is checked by the clock. */
export const max_delivery_bytes = 1024 * 1024

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
