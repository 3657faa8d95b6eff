/** Making an account, and signing in to one. */
import type { Passwords } from '../auth/passwords.ts'
import type { Accounts } from '../db/accounts.ts'
import { DomainError } from '../errors.ts'
import type { User } from '../schema/user.ts'

export type Gate = { accounts: Accounts; passwords: Passwords }
type Credentials = { username: string; password: string }

/** `registration` closed: nobody new, but for the very first account. */
export async function register(
  { accounts, passwords }: Gate,
  { username, password }: Credentials,
  registration: 'open' | 'closed',
): Promise<User> {
  if (!(await mayRegister(accounts, registration))) {
    throw new DomainError('forbidden', 'New accounts are closed here. Ask whoever runs this place.')
  }
  const user = await accounts.create(username, await passwords.hash(password))
  if (user) return user
  const taken = 'Somebody has that name already. Choose another.'
  throw new DomainError('conflict', taken, { fields: { username: taken } })
}

export const mayRegister = async (accounts: Accounts, registration: 'open' | 'closed'): Promise<boolean> =>
  registration === 'open' || !(await accounts.any())

const window_s = 15 * 60
const tries_per_account = 10
const tries_per_address = 50

/**
 * `undefined`: the name or the password is wrong; both look alike and take alike.
 * Throws `too_many` after many failures in a quarter of an hour, on one account or from one `address`.
 */
export async function signIn(
  { accounts, passwords }: Gate,
  { username, password }: Credentials,
  address: string,
): Promise<User | undefined> {
  const subjects = [`account:${username.toLowerCase()}`, `address:${address}`]
  const tries = await accounts.countTry(subjects, window_s)
  const over = tries.filter(({ subject, failures }) => failures > limitOf(subject))
  if (over.length > 0) {
    const retry_after_s = Math.max(...over.map(({ wait_s }) => wait_s))
    const minutes = Math.ceil(retry_after_s / 60)
    throw new DomainError(
      'too_many',
      `Too many tries. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`,
      { retry_after_s },
    )
  }

  const account = await accounts.find(username)
  if (!(await passwords.verify(account?.password_hash, password)) || !account) return undefined
  await accounts.forgiveTry(subjects)
  return { user_id: account.user_id, username: account.username }
}

const limitOf = (subject: string) => (subject.startsWith('account:') ? tries_per_account : tries_per_address)
