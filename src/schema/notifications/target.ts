/** The targets of notifications: what a person enters, and what they see of it. `message.ts` describes what a target gets. */
import { z } from 'zod'
import { isOpenAddress } from '../values/address.ts'
import { max_address } from '../values/stored.ts'
import { MessageEvent, TargetKind } from './message.ts'

/** The most targets of one person, and how many of them may be mailboxes: mail is the only kind that reaches strangers. */
export const max_targets = 20
export const max_mailboxes = 3

export const no_mail = 'This service sends no mail, because its operator has not set SMTP_URL.'

const HookAddress = z
  .string('Enter an address.')
  .trim()
  .max(max_address, 'This address is too long.')
  .refine(isOpenAddress, 'Enter an address that starts with http:// or https://, without a user name or a password.')

/** The rules of ntfy for topics: https://docs.ntfy.sh/publish. */
const TopicAddress = HookAddress.refine(
  text => /\/[-_A-Za-z0-9]{1,64}$/.test(URL.parse(text)?.pathname ?? '') && !/[?#]/.test(text),
  'Enter the address of a topic, such as https://ntfy.sh/my-topic.',
)

const Mailbox = z
  .string('Enter an address.')
  .trim()
  .max(254, 'This address is too long.')
  .pipe(z.email('Enter an address such as name@example.org.'))

/** The addresses of each kind that a person may enter. */
const addresses = { webhook: HookAddress, ntfy: TopicAddress, apprise: HookAddress, mail: Mailbox }

/** The kinds that a person adds by an address. A browser is switched on in itself. */
export const AddressedKind = TargetKind.exclude(['browser'])
export type AddressedKind = z.infer<typeof AddressedKind>

/** The kinds that have a token or key which the person enters. */
export const keyed_kinds: TargetKind[] = ['webhook', 'ntfy']

/** Visible ASCII, because it is the key of a signature, or part of a header. */
const TokenOrKey = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{1,200}$/, 'Use 1 to 200 letters, digits and signs, without spaces.')

const Events = z
  .array(MessageEvent)
  .min(1, 'Choose at least one event.')
  .max(20)
  .transform(chosen => MessageEvent.options.filter(event => chosen.includes(event)))

/** Returns the address in the form that its kind needs, or a sentence about what is wrong with it. */
export const addressIssue = (kind: AddressedKind, address: string): { address: string } | { issue: string } => {
  const read = addresses[kind].safeParse(address)
  return read.success ? { address: read.data } : { issue: read.error.issues[0]?.message ?? 'This is not valid.' }
}

const address = z
  .string('Enter an address.')
  .max(4096, 'This address is too long.')
  .meta({
    description:
      'Webhook and Apprise: the address that gets a POST. ntfy: the address of the topic. Mail: the mailbox. A browser: the site of its push service.',
    examples: ['https://ntfy.sh/my-topic'],
  })

const token_or_key_words =
  'Webhook: the key of the signature in `X-Backlot-Signature`. ntfy: the access token. The other kinds have none. It is never shown again.'

export const TargetRequest = z.object({
  kind: AddressedKind.describe('How messages are sent.'),
  address,
  secret: TokenOrKey.nullable().optional().describe(token_or_key_words),
  events: Events.describe('What messages are about. `service` is for administrators.'),
})
export type TargetRequest = z.infer<typeof TargetRequest>

export const TargetChange = z.object({
  address: address.optional(),
  secret: TokenOrKey.nullable().optional().describe(`${token_or_key_words} Null: none from now on; absent: as it is.`),
  events: Events.optional().describe('What messages are about from now on; absent: as it is.'),
})
export type TargetChange = z.infer<typeof TargetChange>

const base64url = (pattern: RegExp, sentence: string) =>
  z.string().max(200).transform(withoutPadding).pipe(z.string().regex(pattern, sentence))
const withoutPadding = (text: string) => text.replace(/=+$/, '')

/** As `PushSubscription.toJSON()` gives it. */
export const BrowserRequest = z.object({
  endpoint: HookAddress.describe('The address that the push service gave to the browser.'),
  keys: z
    .object({
      // An uncompressed point of P-256 begins with the byte 4.
      p256dh: base64url(/^B[A-Za-z0-9_-]{86}$/, 'This is no key of a browser.').describe(
        'The public key of the browser.',
      ),
      auth: base64url(/^[A-Za-z0-9_-]{22}$/, 'This is no secret of a browser.').describe('The secret of the browser.'),
    })
    .describe('The keys with which messages are encrypted for the browser.'),
  expirationTime: z.number().nullish().describe('Ignored; browsers write it beside the others.'),
  events: Events.optional().describe(
    'What messages are about; absent: every event that you may choose, or for a known browser the events it has.',
  ),
})
export type BrowserRequest = z.infer<typeof BrowserRequest>

export const BrowserRemoval = BrowserRequest.pick({ endpoint: true })

export const TargetId = z.uuid('There is no such target.').meta({
  description: 'The id of the target, from the response to `POST /notifications`.',
  examples: ['2f6f1b7a-5f0e-4b51-8f5b-0a3b8f2c9d10'],
})

export const Target = z
  .object({
    target_id: TargetId,
    kind: TargetKind.describe('How messages are sent; `browser`: by Web Push.'),
    address,
    has_secret: z.boolean().describe('Whether you gave a key or a token.'),
    events: z.array(MessageEvent).describe('What messages are about.'),
    created_at: z.date().describe('When it was added.'),
    delivered_at: z.date().nullable().describe('When a message last arrived; null: never.'),
    fault: z.string().nullable().describe('Why the latest message did not arrive; null: it did, or there was none.'),
  })
  .meta({ id: 'NotificationTarget' })
export type Target = z.infer<typeof Target>

export const Targets = z.object({ targets: z.array(Target) })

export const TestResult = z.object({
  delivered: z.boolean().describe('Whether the target received the message.'),
  detail: z.string().describe('What happened, in words.'),
})
export type TestResult = z.infer<typeof TestResult>

/** With these the service identifies itself to the push services of browsers (VAPID, RFC 8292). Base64url. */
export type WebPushKeys = { public_key: string; private_key: string }
