/** How often somebody may try something that is guessed or repeated; counted in the database, so that it holds across processes. */
import type { Accounts } from '../../db/accounts/accounts.ts'
import { DomainError } from '../../errors.ts'

export const sign_in_window_s = 15 * 60

/** Tries to sign in count for the account and for where they come from. */
export const subjectsOf = (username: string, address: string): string[] => [
  `account:${username.toLowerCase()}`,
  `address:${address}`,
]

/** By what stands before the colon of a subject. */
const most: Record<string, number> = { account: 10, address: 50, register: 20 }

/** Counts one more for each subject; throws `too_many`, with the time to wait, when that is one too many for any. */
export async function requireFewTries(accounts: Accounts, subjects: string[], window_s: number): Promise<void> {
  const tries = await accounts.countTry(subjects, window_s)
  const over = tries.filter(({ subject, failures }) => failures > (most[subject.split(':', 1)[0] ?? ''] ?? 0))
  if (over.length === 0) return
  const retry_after_s = Math.max(...over.map(({ wait_s }) => wait_s))
  const minutes = Math.ceil(retry_after_s / 60)
  throw new DomainError(
    'too_many',
    `Too many tries. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`,
    { retry_after_s },
  )
}
