/** Sends a message to an address of the person's own, as JSON. With a key the body is signed, so that the receiver knows the sender. */
import { createHmac } from 'node:crypto'
import type { SendMessage } from '../schema/notifications/message.ts'
import { deliveryOf, type Post } from './post.ts'

export const webhookSender =
  (post: Post): SendMessage =>
  async (message, { address, token_or_key: key }, signal) => {
    const body = JSON.stringify(message)
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      ...(key !== null && { 'x-backlot-signature': `sha256=${signatureOf(body, key)}` }),
    }
    return deliveryOf(await post(address, { headers, body }, signal))
  }

const signatureOf = (body: string, key: string): string => createHmac('sha256', key).update(body).digest('hex')
