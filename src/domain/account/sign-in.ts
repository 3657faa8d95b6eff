/**
 * Creates an account, checks a username and password, and limits tries. `account.ts` changes and deletes the account of a signed-in person.
 */
import { isCommon, linkHash, type Passwords } from '../../auth/passwords.ts'
import type { Accounts } from '../../db/account/accounts.ts'
import { DomainError } from '../../errors.ts'
import type { StoredUser } from '../../schema/values/user.ts'

/** The stored accounts and the means to check a password. */
export type Authenticator = { accounts: Accounts; passwords: Passwords }
type Credentials = { username: string; password: string }

const an_hour_s = 3600

/**
 * With `registration` closed, only the very first account can be created without an `invitation`, which is the secret of a link or ''.
 * Throws `forbidden`, `not_found`, `invalid`, `conflict`, or `too_many` when one `address` has tried 20 times within an hour.
 */
export async function register(
  { accounts, passwords }: Authenticator,
  { username, password, invitation }: Credentials & { invitation: string },
  registration: 'open' | 'closed',
  address: string,
): Promise<StoredUser> {
  await requireInvited(accounts, invitation, registration)
  await requireGoodPassword({ username, password })
  await requireFewTries(accounts, [`register:${address}`], an_hour_s)
  const password_hash = await passwords.hash(password, address)
  const how = invitation === '' ? { only_first: registration === 'closed' } : { invitation: linkHash(invitation) }
  const created = await accounts.create(username, password_hash, how)
  if (created === 'not_first') throw registrationClosed()
  if (created === 'not_invited') throw invalidInvitation()
  if (created) return created
  const taken = 'That username is taken.'
  throw new DomainError('conflict', taken, { fields: { username: taken } })
}

/**
 * Opening the link changes nothing, because programs that preview links open it too. Throws `not_found`, or `forbidden` without an
 * invitation.
 */
export async function requireInvited(
  accounts: Accounts,
  invitation: string,
  registration: 'open' | 'closed',
): Promise<void> {
  if (invitation === '') {
    if (!(await mayRegister(accounts, registration))) throw registrationClosed()
    return
  }
  const hash = linkHash(invitation)
  if (hash === undefined || !(await accounts.isInvited(hash))) throw invalidInvitation()
}

const invalidInvitation = () =>
  new DomainError(
    'not_found',
    'This invitation is wrong, already used, or too old. Ask your administrator for a new one.',
  )

export const accountLocked = () => new DomainError('forbidden', 'This account is locked. Ask your administrator.')

export const registrationClosed = () =>
  new DomainError('forbidden', 'New accounts are closed. Ask your administrator for an invitation.')

export const mayRegister = async (accounts: Accounts, registration: 'open' | 'closed'): Promise<boolean> =>
  registration === 'open' || !(await accounts.any())

/**
 * `undefined`: wrong username or password; both cases take the same time.
 * Throws `forbidden` if the account is locked, which only the right password finds out, and `too_many` after many failures within 15
 * minutes, for one account or from one `address`.
 */
export async function signIn(
  { accounts, passwords }: Authenticator,
  { username, password }: Credentials,
  address: string,
): Promise<StoredUser | undefined> {
  const subjects = subjectsOf(username, address)
  await requireFewTries(accounts, subjects, sign_in_window_s)
  const stored = await accounts.find(username)
  if (!(await passwords.verify(stored?.password_hash ?? undefined, password, address)) || !stored) return undefined
  if (stored.locked_at) throw accountLocked()
  await accounts.forgiveTry(subjects)
  return stored
}

/**
 * Refuses a new password that is easy to guess. The `Password` schema checks the length. Rejects with `invalid`, with a sentence at the
 * field `password`.
 */
export async function requireGoodPassword(credentials: Credentials): Promise<void> {
  const fault = await faultOf(credentials)
  if (fault) throw new DomainError('invalid', fault, { fields: { password: fault } })
}

async function faultOf({ username, password }: Credentials): Promise<string | undefined> {
  if (password.toLowerCase() === username.toLowerCase()) return "Don't use your username as the password."
  if (await isCommon(password)) return 'This password is too common. Choose another.'
  return undefined
}

export const sign_in_window_s = 15 * 60

/** A subject is what tries are counted for. A try to sign in counts for the account and for the address. */
const subjectsOf = (username: string, address: string): string[] => [
  `account:${username.toLowerCase()}`,
  `address:${address}`,
]

/** The most tries in a window, by the part of the subject before the colon. */
const max_tries: Record<string, number> = { account: 10, address: 50, register: 20 }

/**
 * Counts one more try for each subject. The database has the counts, so the limits apply across processes. Throws `too_many`, with the time
 * to wait, when a subject has too many tries.
 */
export async function requireFewTries(accounts: Accounts, subjects: string[], window_s: number): Promise<void> {
  const tries = await accounts.countTry(subjects, window_s)
  const over = tries.filter(({ subject, failures }) => failures > (max_tries[subject.split(':', 1)[0] ?? ''] ?? 0))
  if (over.length === 0) return
  const retry_after_s = Math.max(...over.map(({ wait_s }) => wait_s))
  const minutes = Math.ceil(retry_after_s / 60)
  throw new DomainError(
    'too_many',
    `Too many attempts. Try again in ${minutes === 1 ? '1 minute' : `${minutes} minutes`}.`,
    { retry_after_s },
  )
}
