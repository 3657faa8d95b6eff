/** Sends one request to a hub: to subscribe, to renew or to end a subscription. The hub confirms it later, at the callback. */
import type { Everyone } from '../../db/everyone.ts'
import {
  beginRequest,
  forgetPush,
  type HubRequest,
  noteRefusedRequest,
} from '../../db/push/everyone/push-subscriptions.ts'
import { DomainError } from '../../errors.ts'
import type { SendToHub } from '../../feed/fetch/send-to-hub.ts'
import type { PushSettings } from './hubs.ts'

/** Ten days, the longest that common hubs grant. */
const lease_s = 10 * 24 * 3600

/** `accepted`: the hub will confirm it. `unusable`: since the subscription was made, the configuration has excluded its hub. */
export type HubOutcome =
  | { hub: string; kind: 'accepted' | 'unusable' }
  | { hub: string; kind: 'refused'; reason: string }

/** `undefined`: no request was due. Throws when the database cannot be reached, or when `signal` is aborted. */
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
