/** What sends messages. The code is loaded with the first message, because most processes never send one. */
import { webPushKeysIn } from '../../db/notifications/web-push-keys.ts'
import type { Sql } from '../../db/postgres/client.ts'
import type { AddressPolicy } from '../../net/addresses.ts'
import { lazily } from '../../runtime/cache.ts'
import type { SenderParts } from '../../senders/send.ts'

/** `policy`: which addresses messages may go to. */
export function lazySender(sql: Sql, policy: AddressPolicy, config: SenderParts['config']) {
  const webPushKeys = webPushKeysIn(
    sql,
    lazily(async () => (await import('../../senders/browser.ts')).makeWebPushKeys),
  )
  const sendMessage = lazily(async () =>
    (await import('../../senders/send.ts')).createSender({ policy, webPushKeys, config }),
  )
  return { webPushKeys, sendMessage }
}
