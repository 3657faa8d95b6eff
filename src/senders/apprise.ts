/**
 * Hands a message to an Apprise API server, which knows the person's other services by a key in the address.
 * Source: https://github.com/caronc/apprise-api#api-details.
 */
import type { MessageEvent, SendMessage } from '../schema/notifications/message.ts'
import { deliveryOf, type Post } from './post.ts'

const types: Record<MessageEvent, 'info' | 'success' | 'warning' | 'failure'> = {
  new_video: 'info',
  download_completed: 'success',
  download_failed: 'failure',
  space: 'warning',
  service: 'warning',
}

/** The address of the page is added to the text, because Apprise has no field for it. */
export const appriseSender =
  (post: Post): SendMessage =>
  async ({ event, title, text, url }, { address }, signal) => {
    const body = url === null ? text : `${text}\n\n${url}`
    const sent = JSON.stringify({ title, body, type: types[event], format: 'text' })
    const answer = await post(address, { headers: { 'content-type': 'application/json' }, body: sent }, signal)
    if ('status' in answer && answer.status === 204)
      return { delivered: false, detail: 'Apprise knows no services for this address (204).', retry: true }
    // Some of the services have the message, and would get it again.
    if ('status' in answer && answer.status === 424)
      return { delivered: false, detail: 'Apprise could not reach all of its services (424).', retry: false }
    return deliveryOf(answer)
  }
