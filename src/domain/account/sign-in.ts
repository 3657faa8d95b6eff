/** Making an account, and signing in to one. What happens to it afterwards is `account.ts`. */
import type { Passwords } from '../../auth/passwords.ts'
import type { Account, Accounts } from '../../db/accounts/accounts.ts'
import { DomainError } from '../../errors.ts'
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
): Promise<Account> {
  if (!(await mayRegister(accounts, registration))) throw closed()
  requireGoodPassword({ username, password })
  await requireFewTries(accounts, [`register:${address}`], an_hour_s)
  const password_hash = await passwords.hash(password, address)
  const made = await accounts.create(username, password_hash, { only_first: registration === 'closed' })
  if (made === 'not_first') throw closed()
  if (made) return { ...made, password_hash }
  const taken = 'Somebody has that name already. Choose another.'
  throw new DomainError('conflict', taken, { fields: { username: taken } })
}

export const closed = () => new DomainError('forbidden', 'New accounts are closed here. Ask whoever runs this place.')

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
): Promise<Account | undefined> {
  const subjects = subjectsOf(username, address)
  await requireFewTries(accounts, subjects, sign_in_window_s)
  const account = await accounts.find(username)
  if (!(await passwords.verify(account?.password_hash, password, address)) || !account) return undefined
  await accounts.forgiveTry(subjects)
  return account
}
