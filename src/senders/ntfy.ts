/**
 * Publishes a message on a topic of ntfy, as JSON to the root of the server: a header could not hold every title.
 * Source: https://docs.ntfy.sh/publish/#publish-as-json.
 */
import type { SendMessage } from '../schema/notifications/message.ts'
import { deliveryOf, type Post } from './post.ts'
import { cutBytes } from './texts.ts'

/** ntfy makes an attachment of a longer text. */
const max_bytes = { title: 250, message: 4096 }

export const ntfySender =
  (post: Post): SendMessage =>
  async ({ title, text, url }, { address, token_or_key: access_token }, signal) => {
    // As the parser of addresses reads it, because a person may have entered backslashes.
    const root = new URL('.', address).href
    const topic = new URL(address).pathname.slice(new URL(root).pathname.length)
    const words = { title: cutBytes(title, max_bytes.title), message: cutBytes(text, max_bytes.message) }
    const body = JSON.stringify({ topic, ...words, ...(url !== null && { click: url }) })
    const headers = {
      'content-type': 'application/json',
      ...(access_token !== null && { authorization: `Bearer ${access_token}` }),
    }
    return deliveryOf(await post(root, { headers, body }, signal))
  }
