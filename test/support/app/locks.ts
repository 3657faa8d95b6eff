/** In the database: locks a person and unlocks them, as the desk does. */
import { resumeAfterUnlock, stopForLock } from '../../../src/db/admin/locks.ts'
import type { Sql } from '../../../src/db/postgres/client.ts'
import type { Person } from './people.ts'

export const lock = (sql: Sql, { user: { user_id } }: Pick<Person, 'user'>): Promise<void> =>
  sql.begin(async tx => {
    await tx`update users set locked_at = now() where id = ${user_id}`
    await stopForLock(tx, user_id)
  })

export const unlock = (sql: Sql, { user: { user_id } }: Pick<Person, 'user'>): Promise<void> =>
  sql.begin(async tx => {
    await tx`update users set locked_at = null where id = ${user_id}`
    await resumeAfterUnlock(tx, user_id)
  })
