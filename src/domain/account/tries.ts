/** Limits tries to sign in or register. They are counted in the database, so the limits apply across processes. */
import type { Accounts } from '../../db/account/accounts.ts'
import { DomainError } from '../../errors.ts'

export const sign_in_window_s = 15 * 60

/** A subject is what tries are counted for. A try to sign in counts for the account and for the address. */
export const subjectsOf = (username: string, address: string): string[] => [
  `account:${username.toLowerCase()}`,
  `address:${address}`,
]

/** The most tries in a window, by the part of the subject before the colon. */
const most: Record<string, number> = { account: 10, address: 50, register: 20 }

/** Counts one more try for each subject. Throws `too_many`, with the time to wait, when a subject has too many. */
export async function requireFewTries(accounts: Accounts, subjects: string[], window_s: number): Promise<void> {
  const tries = await accounts.countTry(subjects, window_s)
  const over = tries.filter(({ subject, failures }) => failures > (most[subject.split(':', 1)[0] ?? ''] ?? 0))
  if (over.length === 0) return
  const retry_after_s = Math.max(...over.map(({ wait_s }) => wait_s))
  const minutes = Math.ceil(retry_after_s / 60)
  throw new DomainError(
    'too_many',
    `Too many tries. Try again in ${minutes === 1 ? '1 minute' : `${minutes} minutes`}.`,
    { retry_after_s },
  )
}
