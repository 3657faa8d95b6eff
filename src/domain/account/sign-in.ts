/** Creates an account, and checks a username and password. What a signed-in user does with their account is in `account.ts`. */
import { isCommon, type Passwords } from '../../auth/passwords.ts'
import type { Accounts } from '../../db/account/accounts.ts'
import { DomainError } from '../../errors.ts'
import type { StoredUser } from '../../schema/values/user.ts'
import { requireFewTries, sign_in_window_s, subjectsOf } from './tries.ts'

/** The stored accounts and the means to check a password. */
export type Authenticator = { accounts: Accounts; passwords: Passwords }
type Credentials = { username: string; password: string }

const an_hour_s = 3600

/**
 * With `registration` closed, only the very first account can be created.
 * Throws `forbidden`, `invalid`, `conflict`, or `too_many` when one `address` has tried 20 times within an hour.
 */
export async function register(
  { accounts, passwords }: Authenticator,
  { username, password }: Credentials,
  registration: 'open' | 'closed',
  address: string,
): Promise<StoredUser> {
  if (!(await mayRegister(accounts, registration))) throw registrationClosed()
  await requireGoodPassword({ username, password })
  await requireFewTries(accounts, [`register:${address}`], an_hour_s)
  const password_hash = await passwords.hash(password, address)
  const created = await accounts.create(username, password_hash, { only_first: registration === 'closed' })
  if (created === 'not_first') throw registrationClosed()
  if (created) return { ...created, password_hash }
  const taken = 'That username is taken.'
  throw new DomainError('conflict', taken, { fields: { username: taken } })
}

export const registrationClosed = () => new DomainError('forbidden', 'New accounts are closed. Ask your administrator.')

export const mayRegister = async (accounts: Accounts, registration: 'open' | 'closed'): Promise<boolean> =>
  registration === 'open' || !(await accounts.any())

/**
 * `undefined`: wrong username or password; both cases take the same time.
 * Throws `too_many` after many failures within 15 minutes, for one account or from one `address`.
 */
export async function signIn(
  { accounts, passwords }: Authenticator,
  { username, password }: Credentials,
  address: string,
): Promise<StoredUser | undefined> {
  const subjects = subjectsOf(username, address)
  await requireFewTries(accounts, subjects, sign_in_window_s)
  const stored = await accounts.find(username)
  if (!(await passwords.verify(stored?.password_hash, password, address)) || !stored) return undefined
  await accounts.forgiveTry(subjects)
  return stored
}

// Refuses new passwords that are easy to guess. Their length is checked by the `Password` schema.

type Chosen = { username: string; password: string }

/** Rejects with `invalid`, with a sentence at the field `password`. */
export async function requireGoodPassword(chosen: Chosen): Promise<void> {
  const fault = await faultOf(chosen)
  if (fault) throw new DomainError('invalid', fault, { fields: { password: fault } })
}

async function faultOf({ username, password }: Chosen): Promise<string | undefined> {
  if (password.toLowerCase() === username.toLowerCase()) return "Don't use your username as the password."
  if (await isCommon(password)) return 'This password is too common. Choose another.'
  return undefined
}
