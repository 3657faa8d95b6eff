/** Sends a message to a target of any kind. */
import type { AddressPolicy } from '../net/addresses.ts'
import { loadedOnce } from '../runtime/cache.ts'
import type { SendMessage, TargetKind } from '../schema/notifications/message.ts'
import type { WebPushKeys } from '../schema/notifications/target.ts'
import { appriseSender } from './apprise.ts'
import { browserSender } from './browser.ts'
import { contactOf, type MailSettings } from './identity.ts'
import { ntfySender } from './ntfy.ts'
import { createPost } from './post.ts'
import { webhookSender } from './webhook.ts'

export type SenderParts = {
  policy: AddressPolicy
  webPushKeys: () => Promise<WebPushKeys>
  config: MailSettings
}

export function createSender({ policy, webPushKeys, config }: SenderParts): SendMessage {
  const post = createPost({ policy })
  const byMail = loadedOnce(async () => (await import('./mail.ts')).mailSender(config))
  const senders: Record<TargetKind, SendMessage> = {
    webhook: webhookSender(post),
    ntfy: ntfySender(post),
    apprise: appriseSender(post),
    mail: async (...asked) => (await byMail())(...asked),
    browser: browserSender({ post, webPushKeys, contact: contactOf(config) }),
  }
  return (message, target, signal) => senders[target.kind](message, target, signal)
}
