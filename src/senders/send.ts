/** Sends a message to a target of any kind. */
import type { AddressPolicy } from '../net/addresses.ts'
import { loadedOnce } from '../runtime/cache.ts'
import type { SendMessage, TargetKind } from '../schema/notifications/message.ts'
import type { WebPushKeys } from '../schema/notifications/target.ts'
import { appriseSender } from './apprise.ts'
import { browserSender } from './browser.ts'
import type { MailSettings } from './mail.ts'
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

/** Where a push service can reach the operator: some refuse messages without it. */
function contactOf({ PUBLIC_URL, MAIL_FROM }: MailSettings): string {
  if (PUBLIC_URL?.startsWith('https:')) return PUBLIC_URL
  const [mailbox = 'operator@backlot.invalid'] = MAIL_FROM?.match(/[^\s<>]+@[^\s<>]+/) ?? []
  return `mailto:${mailbox}`
}
