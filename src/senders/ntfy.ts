/**
 * Publishes a message on a topic of ntfy, as JSON to the root of the server: a header could not hold every title.
 * Source: https://docs.ntfy.sh/publish/#publish-as-json.
 */
import type { SendMessage } from '../schema/notifications/message.ts'
import { deliveryOf, type Post } from './post.ts'
import { cutBytes } from './texts.ts'

/** ntfy makes an attachment of a longer message. */
const max_bytes = { title: 250, message: 4096 }

export const ntfySender =
  (post: Post): SendMessage =>
  async ({ title, text, url }, { address, secret }, signal) => {
    // As the parser of addresses reads it, because a person may have entered backslashes.
    const root = new URL('.', address).href
    const topic = new URL(address).pathname.slice(new URL(root).pathname.length)
    const message = { title: cutBytes(title, max_bytes.title), message: cutBytes(text, max_bytes.message) }
    const body = JSON.stringify({ topic, ...message, ...(url !== null && { click: url }) })
    const headers = {
      'content-type': 'application/json',
      ...(secret !== null && { authorization: `Bearer ${secret}` }),
    }
    return deliveryOf(await post(root, { headers, body }, signal))
  }
