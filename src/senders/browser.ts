/**
 * Sends a message to a browser through its push service (Web Push, RFC 8030), encrypted for the browser (RFC 8291) and with the identity
 * of this service (VAPID, RFC 8292). `web-push` encrypts and signs, and the request goes through our guard.
 *
 * The browser gets `{id, event, title, text, url}` as JSON.
 */
import { loadedOnce } from '../runtime/cache.ts'
import type { Delivery, Message, MessageTarget, SendMessage } from '../schema/notifications/message.ts'
import type { WebPushKeys } from '../schema/notifications/target.ts'
import { isPublicContact } from './identity.ts'
import { deliveryOf, type Post } from './post.ts'
import { cutBytes } from './texts.ts'

/** Loaded for the first browser. */
const webPush = loadedOnce(async () => (await import('web-push')).default)

export async function makeWebPushKeys(): Promise<WebPushKeys> {
  const { publicKey, privateKey } = (await webPush()).generateVAPIDKeys()
  return { public_key: publicKey, private_key: privateKey }
}

/** `contact`: where a push service reaches the operator: an https or mailto address. */
type BrowserParts = { post: Post; webPushKeys: () => Promise<WebPushKeys>; contact: string }

/** Seconds for which the push service keeps a message for a browser that is away. */
const lasts_s = 24 * 3600
/** Push services take 4096 bytes, of which encryption needs 103. A control character takes six in JSON. */
const max_bytes = { title: 200, text: 400 }

export const browserSender =
  ({ post, webPushKeys, contact }: BrowserParts): SendMessage =>
  async (message, target, signal) => {
    const details = await detailsOf(message, target, await webPushKeys(), contact)
    if (!details) return gone('The keys of this browser are not valid. Switch its notifications off and on.')
    const answer = await post(target.address, details, signal)
    // RFC 8030 §7.3: the browser has unsubscribed, or its subscription has expired.
    if ('status' in answer && (answer.status === 404 || answer.status === 410))
      return gone(`The push service no longer knows this browser (${answer.status}).`)
    // RFC 8292 §4.2: our identity is refused.
    if ('status' in answer && (answer.status === 401 || answer.status === 403))
      return { delivered: false, detail: refusedIdentity(contact), retry: true }
    return deliveryOf(answer)
  }

/** `undefined`: nothing can be encrypted for these keys. */
async function detailsOf(
  { id, event, title, text, url }: Message,
  { address: endpoint, token_or_key: keys }: MessageTarget,
  { public_key: publicKey, private_key: privateKey }: WebPushKeys,
  contact: string,
) {
  const { generateRequestDetails } = await webPush()
  const payload = { id, event, title: cutBytes(title, max_bytes.title), text: cutBytes(text, max_bytes.text), url }
  try {
    const { headers, body } = generateRequestDetails(
      { endpoint, keys: JSON.parse(keys ?? '{}') },
      JSON.stringify(payload),
      {
        vapidDetails: { subject: contact, publicKey, privateKey },
        TTL: lasts_s,
        // A message that is sent again replaces the first one while both wait.
        topic: id.replaceAll('-', ''),
      },
    )
    const texts = Object.entries(headers).map(([name, value]) => [name, String(value)])
    return { headers: Object.fromEntries(texts) as Record<string, string>, body: body ?? '' }
  } catch {
    return undefined
  }
}

const refusedIdentity = (contact: string): string =>
  isPublicContact(contact)
    ? "The push service refuses Backlot's identity. Switch the notifications of this browser off and on."
    : "The push service refuses Backlot's identity: set MAIL_FROM or an https PUBLIC_URL."

const gone = (detail: string): Delivery => ({ delivered: false, detail, gone: true, retry: false })
