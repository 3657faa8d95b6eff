/** In the database: locks a person and unlocks them, as an administrator does on the command line. */
import { deskOf } from '../../../src/db/admin/desk.ts'
import type { Sql } from '../../../src/db/postgres/client.ts'
import type { Person } from './people.ts'

type Someone = Pick<Person, 'user'>

export const lock = (sql: Sql, someone: Someone): Promise<void> => change(sql, someone, true)
export const unlock = (sql: Sql, someone: Someone): Promise<void> => change(sql, someone, false)

async function change(sql: Sql, { user: { username } }: Someone, locked: boolean): Promise<void> {
  const changed = await deskOf(sql, { user_id: null, name: 'a test' }).people.change(username, { locked })
  if (typeof changed === 'string') throw new Error(`could not change ${username}: ${changed}`)
}
