/**
 * Creates an account, checks a username and password, and limits tries. `account.ts` changes and deletes the account of a signed-in person.
 */
import { isCommon, type Passwords } from '../../auth/passwords.ts'
import { type Accounts, invalidInvitation } from '../../db/account/accounts.ts'
import type { Identities } from '../../db/account/identities.ts'
import { accountSubject, type Limits, type MostUses } from '../../db/account/limits.ts'
import type { Passkeys } from '../../db/account/passkeys.ts'
import type { Secrets } from '../../db/account/secrets.ts'
import { DomainError, wrongAt } from '../../errors.ts'
import type { StoredUser } from '../../schema/values/user.ts'

/** The stored accounts with their ways in, the secrets, and the means to check a password and to limit tries. */
export type Authenticator = {
  accounts: Accounts
  identities: Identities
  passkeys: Passkeys
  secrets: Secrets
  limits: Limits
  passwords: Passwords
}
type NameAndPassword = { username: string; password: string }

/**
 * With `registration` closed, only the very first account can be created without an `invitation`, which is the token of a link or ''.
 * Throws `forbidden`, `not_found`, `invalid`, `conflict`, or `too_many` when one `client` has tried 20 times within an hour.
 */
export async function register(
  authenticator: Authenticator,
  { username, password, invitation }: NameAndPassword & { invitation: string },
  registration: 'open' | 'closed',
  client: string,
): Promise<StoredUser> {
  const { accounts, limits, passwords } = authenticator
  await requireInvited(authenticator, invitation, registration)
  await requireGoodPassword({ username, password })
  await requireFewTries(limits, { [`register:${client}`]: 20 }, 3600)
  const password_hash = await passwords.hash(password, client)
  const how = invitation === '' ? { only_first: registration === 'closed' } : { invitation }
  const created = await accounts.create(username, password_hash, how)
  if (created === 'not_first') throw registrationClosed()
  if (created === 'taken') throw wrongAt('username', 'That username is taken.', 'conflict')
  return created
}

/**
 * Opening the link changes nothing, because programs that preview links open it too. Throws `not_found`, or `forbidden` without an
 * invitation.
 */
export async function requireInvited(
  { accounts, secrets }: Authenticator,
  invitation: string,
  registration: 'open' | 'closed',
): Promise<void> {
  if (invitation === '' && !(await mayRegister(accounts, registration))) throw registrationClosed()
  if (invitation !== '' && !(await secrets.open(['invitation'], invitation))) throw invalidInvitation()
}

export const accountLocked = () => new DomainError('forbidden', 'This account is locked. Ask your administrator.')

const registrationClosed = () =>
  new DomainError('forbidden', 'New accounts are closed. Ask your administrator for an invitation.')

export const mayRegister = async (accounts: Accounts, registration: 'open' | 'closed'): Promise<boolean> =>
  registration === 'open' || !(await accounts.any())

/**
 * `undefined`: wrong username or password; both cases take the same time.
 * Throws `forbidden` if the account is locked, which only the right password finds out, and `too_many` after many failures within 15
 * minutes, for one account or from one `client`.
 */
export async function signIn(
  { accounts, limits, passwords }: Authenticator,
  { username, password }: NameAndPassword,
  client: string,
): Promise<StoredUser | undefined> {
  const tries = { [accountSubject(username)]: 10, ...triesFrom(client) }
  await requireFewTries(limits, tries)
  const stored = await accounts.find(username)
  if (!(await passwords.verify(stored?.password_hash ?? undefined, password, client)) || !stored) return undefined
  if (stored.locked_at) throw accountLocked()
  await limits.giveBack(tries)
  return stored
}

/**
 * Refuses a new password that is easy to guess. The `Password` schema checks the length. Throws `invalid`, with a sentence at the field
 * `password`.
 */
export async function requireGoodPassword({ username, password }: NameAndPassword): Promise<void> {
  if (password.toLowerCase() === username.toLowerCase())
    throw wrongAt('password', "Don't use your username as the password.")
  if (await isCommon(password)) throw wrongAt('password', 'This password is too common. Choose another.')
}

const sign_in_window_s = 15 * 60

/** All tries of one client count together. `client`: its address, as the context of requests describes it. */
export const triesFrom = (client: string): MostUses => ({ [`address:${client}`]: 50 })

/** Counts one more try. Throws `too_many`, with the time to wait, when there are too many tries. */
export async function requireFewTries(limits: Limits, tries: MostUses, window_s = sign_in_window_s): Promise<void> {
  const counted = await limits.use(tries, window_s)
  if (counted === 'allowed') return
  const minutes = Math.ceil(counted.wait_s / 60)
  throw new DomainError(
    'too_many',
    `Too many attempts. Try again in ${minutes === 1 ? '1 minute' : `${minutes} minutes`}.`,
    { retry_after_s: counted.wait_s },
  )
}
