/** Making an account, and signing in to one. What happens to it afterwards is `account.ts`. */
import type { Passwords } from '../auth/passwords.ts'
import type { Accounts } from '../db/accounts.ts'
import { DomainError } from '../errors.ts'
import type { User } from '../schema/user.ts'
import { requireGoodPassword } from './new-password.ts'
import { requireFewTries, sign_in_window_s, subjectsOf } from './tries.ts'

export type Gate = { accounts: Accounts; passwords: Passwords }
type Credentials = { username: string; password: string }

const an_hour_s = 3600

/**
 * `registration` closed: nobody new, but for the very first account.
 * Throws `too_many` when one `address` has tried 20 times within an hour.
 */
export async function register(
  { accounts, passwords }: Gate,
  { username, password }: Credentials,
  registration: 'open' | 'closed',
  address: string,
): Promise<User> {
  if (!(await mayRegister(accounts, registration))) {
    throw new DomainError('forbidden', 'New accounts are closed here. Ask whoever runs this place.')
  }
  requireGoodPassword({ username, password })
  await requireFewTries(accounts, [`register:${address}`], an_hour_s)
  const user = await accounts.create(username, await passwords.hash(password))
  if (user) return user
  const taken = 'Somebody has that name already. Choose another.'
  throw new DomainError('conflict', taken, { fields: { username: taken } })
}

export const mayRegister = async (accounts: Accounts, registration: 'open' | 'closed'): Promise<boolean> =>
  registration === 'open' || !(await accounts.any())

/**
 * `undefined`: the name or the password is wrong; both look alike and take alike.
 * Throws `too_many` after many failures in a quarter of an hour, on one account or from one `address`.
 */
export async function signIn(
  { accounts, passwords }: Gate,
  { username, password }: Credentials,
  address: string,
): Promise<User | undefined> {
  const subjects = subjectsOf(username, address)
  await requireFewTries(accounts, subjects, sign_in_window_s)
  const account = await accounts.find(username)
  if (!(await passwords.verify(account?.password_hash, password)) || !account) return undefined
  await accounts.forgiveTry(subjects)
  return { user_id: account.user_id, username: account.username }
}
