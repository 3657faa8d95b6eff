/**
 * Deletes an account with everything it owns in the database, whose files the domain deletes. Begins a transaction anew that met a
 * deadlock.
 */
import type { User } from '../../schema/values/user.ts'
import { isDeadlock, type Sql, type Transaction } from '../postgres/client.ts'
import { forgetJobs } from '../queue/queue.ts'
import { accountSubject, limitsIn } from './limits.ts'

/** Running downloads stop because they lose their claims; waiting jobs are removed. */
export async function removeAccountIn(tx: Transaction, { user_id, username }: Omit<User, 'role'>): Promise<void> {
  await tx`delete from users where id = ${user_id}`
  // After the deletion, because no job can be added any more.
  await forgetJobs(tx, user_id)
  await limitsIn(tx).forget(accountSubject(username))
}

/** How often a transaction is tried. */
const max_tries = 5

/**
 * Runs a transaction that locks a person and what belongs to the person. Postgres ends it where another transaction, such as a save, has
 * some of the rows and wants the others. The other one then goes on, and this one begins anew.
 */
export async function againAfterDeadlock<T>(sql: Sql, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let nth = 1; ; nth++)
    try {
      return (await sql.begin(work)) as T
    } catch (fault) {
      if (!isDeadlock(fault) || nth === max_tries) throw fault
    }
}
