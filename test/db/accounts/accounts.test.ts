/** Accounts that are created at the same moment, or deleted during a save. */
import { expect, it } from 'vitest'
import { accountsIn } from '../../../src/db/accounts/accounts.ts'
import type { Queryable } from '../../../src/db/postgres/client.ts'
import { aLockIsWaitedFor, useDatabase } from '../../support/app/database.ts'
import { follows, person } from '../../support/app/people.ts'

const { sql } = useDatabase({ connections: 4 })

it('only one first account is created, however many are requested at the same moment', async () => {
  const { create } = accountsIn(sql)
  for (let round = 0; round < 5; round++) {
    const names = Array.from({ length: 8 }, (_, i) => `first${i}`)
    const made = await Promise.all(names.map(name => create(name, 'a hash', { only_first: true })))
    expect(made.filter(one => one !== 'not_first')).toHaveLength(1)
    await sql`delete from users`
  }
})

it('an account is deleted although a save locks its channels in another order', async () => {
  const alice = await person(sql, 'alice')
  for (const channel_id of ['a', 'b']) await follows(alice, channel_id, ['v1'])
  const save = (tx: Queryable, channel_id: string) =>
    tx`update channels set title = 'Saved' where user_id = ${alice.user.user_id} and channel_id = ${channel_id}`

  const { removing } = await sql.begin(async tx => {
    await save(tx, 'b')
    const removing = accountsIn(sql).remove(alice.user)
    await aLockIsWaitedFor(sql)
    await save(tx, 'a')
    return { removing }
  })

  await removing
  expect(await sql`select from channels where user_id = ${alice.user.user_id}`).toHaveLength(0)
})
