/** What keeps a person from removing their last way to sign in. */
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable, Sql } from '../postgres/client.ts'

/**
 * `last`: nothing was removed, because the person could no longer sign in, or is an administrator who could sign in only while a provider
 * or a proxy answers. `absent`: there was nothing to remove.
 */
export type Removal = 'removed' | 'last' | 'absent'

/** `remove` deletes ways of this person to sign in, and returns how many ways it deleted. */
export async function removeUnlessLast(
  sql: Sql,
  user_id: UserId,
  remove: (tx: Queryable) => Promise<number>,
): Promise<Removal> {
  const last = new Error('the last way to sign in')
  try {
    return await sql.begin(async tx => {
      // Without the lock, two at the same moment would each count the way that the other one removes.
      const [before] = await tx<{ access: number }[]>`
        select administrator_access(users) as access from users where id = ${user_id} for update`
      if ((await remove(tx)) === 0) return 'absent'
      const [left] = await tx`
        select from users
        where  id = ${user_id} and administrator_access(users) >= ${before?.access ?? 0}
        and    (password_hash is not null
                or exists (select from identities where user_id = ${user_id})
                or exists (select from passkeys where user_id = ${user_id}))`
      if (!left) throw last
      return 'removed'
    })
  } catch (fault) {
    if (fault === last) return 'last'
    throw fault
  }
}
