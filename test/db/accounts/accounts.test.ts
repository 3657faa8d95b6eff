/** Accounts that are created at the same moment. */
import { expect, it } from 'vitest'
import { accountsIn } from '../../../src/db/accounts/accounts.ts'
import { useDatabase } from '../../support/app/database.ts'

const { sql } = useDatabase()

it('only one first account is created, however many are requested at the same moment', async () => {
  const { create } = accountsIn(sql)
  for (let round = 0; round < 5; round++) {
    const names = Array.from({ length: 8 }, (_, i) => `first${i}`)
    const made = await Promise.all(names.map(name => create(name, 'a hash', { only_first: true })))
    expect(made.filter(one => one !== 'not_first')).toHaveLength(1)
    await sql`delete from users`
  }
})
