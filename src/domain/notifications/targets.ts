/**
 * The targets of a person's notifications: adding, changing, testing and removing them. Tests per hour and new mailboxes per day are
 * limited, because a target may belong to a stranger.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Limits } from '../../db/account/limits.ts'
import type { Library } from '../../db/library.ts'
import type { MailEnds, NotAdded } from '../../db/notifications/targets.ts'
import { DomainError, noRoomFor, wrongAt } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import { type Message, MessageEvent, type SendMessage } from '../../schema/notifications/message.ts'
import {
  AddressedKind,
  addressIssue,
  type BrowserRequest,
  keyed_kinds,
  max_mailboxes,
  max_targets,
  no_mail,
  type Target,
  type TargetChange,
  type TargetRequest,
  type TestResult,
  type WebPushKeys,
} from '../../schema/notifications/target.ts'
import type { Role } from '../../schema/values/user.ts'
import { orThrow } from '../get.ts'

export const max_tests_an_hour = 10
/** A mailbox whose address is changed counts as a new one. */
export const max_new_mailboxes_a_day = 5

export type Senders = { sendMessage: SendMessage; webPushKeys: () => Promise<WebPushKeys> }

/** What adding, changing and testing a target needs. */
export type Notifier = Senders & { is_mail_on: boolean; limits: Limits }

export const notifierOf = (
  { sendMessage, webPushKeys }: Senders,
  { SMTP_URL }: { SMTP_URL?: string | undefined },
  limits: Limits,
): Notifier => ({ sendMessage, webPushKeys, is_mail_on: SMTP_URL !== undefined, limits })

/** Throws `not_found`. */
export const getTarget = async (library: Library, target_id: string): Promise<Target> =>
  orThrow(await library.targets.find(target_id), noSuchTarget)

/** Throws `invalid`, `conflict` or `too_many`. */
export async function addTarget(
  notifier: Notifier,
  library: Library,
  role: Role,
  { kind, address: given, secret: token_or_key = null, events }: TargetRequest,
): Promise<Target> {
  requireAllowed(role, events)
  if (kind === 'mail' && !notifier.is_mail_on) throw noMail()
  requireKeyed(kind, token_or_key)
  const address = addressOf(kind, given)
  if (kind !== 'mail') return addedOr(await library.targets.add({ kind, address, token_or_key, events }))
  await countUse(notifier, library, 'mailbox')
  return addedOr(await library.targets.add({ kind, address, token_or_key: newEndToken(library), events }))
}

/** Throws `not_found`, `invalid`, `conflict` or `too_many`. */
export async function changeTarget(
  notifier: Notifier,
  library: Library,
  role: Role,
  target_id: string,
  { address: given, secret: token_or_key, events }: TargetChange,
): Promise<Target> {
  const { kind, address: former } = orThrow(await library.targets.find(target_id), noSuchTarget)
  if (events) requireAllowed(role, events)
  requireKeyed(kind, token_or_key)
  const address = given === undefined ? undefined : addressOf(kind, given)
  const is_moved = address !== undefined && address !== former
  if (kind === 'mail' && is_moved) await countUse(notifier, library, 'mailbox')
  const changed = await library.targets.change(target_id, {
    ...(address !== undefined && { address }),
    ...(token_or_key !== undefined && keyed_kinds.includes(kind) && { token_or_key }),
    // The person who read the mails at the former address can end only those.
    ...(kind === 'mail' && is_moved && { token_or_key: newEndToken(library) }),
    ...(events && { events }),
  })
  if (changed === 'known') throw known()
  return orThrow(changed, noSuchTarget)
}

/** Throws `not_found`. */
export async function removeTarget(library: Library, target_id: string): Promise<void> {
  if (!(await library.targets.remove(target_id))) throw noSuchTarget()
}

/** Sends one message now. Throws `not_found` or `too_many`. */
export async function testTarget(
  notifier: Notifier,
  library: Library,
  target_id: string,
  site: string,
): Promise<TestResult> {
  const target = orThrow(await library.targets.findToSend(target_id), noSuchTarget)
  if (target.kind === 'mail' && !notifier.is_mail_on) throw noMail()
  await countUse(notifier, library, 'test')
  const delivery = await notifier.sendMessage(testMessage(site), target)
  await library.targets.recordDelivery(target_id, delivery)
  return delivery.delivered
    ? { delivered: true, detail: 'The target received the message.' }
    : { delivered: false, detail: delivery.detail }
}

/** Switches Web Push on for a browser; a known browser gets its new keys. Throws `invalid` or `conflict`. */
export async function addBrowser(
  library: Library,
  role: Role,
  { endpoint, keys, events }: BrowserRequest,
): Promise<Target> {
  if (events) requireAllowed(role, events)
  const usual = MessageEvent.options.filter(event => event !== 'service' || role === 'admin')
  return addedOr(await library.targets.addBrowser(endpoint, JSON.stringify(keys), { chosen: events ?? null, usual }))
}

/** Ends the mails to a mailbox by the token in their link. A wrong token, and the token of mails that have ended, changes nothing. */
export async function endMails(ends: MailEnds, token: string): Promise<void> {
  // Postgres reads an id without its hyphens.
  const [, user_id] = /^([0-9a-f]{32})-[A-Za-z0-9_-]{32}$/.exec(token) ?? []
  if (user_id !== undefined) await ends.end(user_id, token)
}

/** The token begins with the person, so that the row is found without a search through all people. */
const newEndToken = ({ user_id }: Library) => `${user_id.replaceAll('-', '')}-${randomBytes(24).toString('base64url')}`

function addressOf(kind: Target['kind'], given: string): string {
  const addressed = AddressedKind.safeParse(kind)
  if (!addressed.success) throw wrongAt('address', 'The address of a browser cannot be changed.')
  const read = addressIssue(addressed.data, given)
  if ('issue' in read) throw wrongAt('address', read.issue)
  return read.address
}

function requireKeyed(kind: Target['kind'], token_or_key: string | null | undefined): void {
  if (token_or_key && !keyed_kinds.includes(kind)) throw wrongAt('secret', 'This kind has no secret.')
}

function requireAllowed(role: Role, events: MessageEvent[]): void {
  if (role !== 'admin' && events.includes('service'))
    throw wrongAt('events', 'Only administrators are notified of the service.')
}

const limited = {
  test: { most: max_tests_an_hour, window_s: 3600, sentence: `You can send ${max_tests_an_hour} tests an hour.` },
  mailbox: {
    most: max_new_mailboxes_a_day,
    window_s: 24 * 3600,
    sentence: `You can add ${max_new_mailboxes_a_day} mailboxes a day.`,
  },
}

/** Counts a use before it happens. Throws `too_many`. */
async function countUse({ limits }: Notifier, { user_id }: Library, what: keyof typeof limited): Promise<void> {
  const { most, window_s, sentence } = limited[what]
  const counted = await limits.use({ [`${what}:${user_id}`]: most }, window_s)
  if (counted !== 'allowed')
    throw new DomainError('too_many', `${sentence} Try again later.`, { retry_after_s: counted.wait_s })
}

function addedOr(added: Target | NotAdded): Target {
  if (added === 'full') throw noRoomFor(max_targets, 'targets', 'Remove')
  if (added === 'mailboxes_full') throw noRoomFor(max_mailboxes, 'mailboxes', 'Remove')
  if (added === 'known') throw known()
  return added
}

const known = () => wrongAt('address', 'You have a target with this address already.', 'conflict')
const noSuchTarget = () => new DomainError('not_found', 'There is no such target.')
const noMail = () => new DomainError('conflict', no_mail)

const testMessage = (site: string): Message => ({
  id: randomUUID(),
  event: 'new_video',
  at: currentTime().toISOString(),
  title: 'A test from Backlot',
  text: 'Messages arrive here.',
  url: `${site}/settings`,
  videos: [],
})
