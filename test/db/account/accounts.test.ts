/** Accounts that are created at the same moment, or deleted during a save. */
import { expect, it } from 'vitest'
import { accountsIn } from '../../../src/db/account/accounts.ts'
import { secretsIn } from '../../../src/db/account/secrets.ts'
import { isDeadlock, type Queryable } from '../../../src/db/postgres/client.ts'
import { aLockIsWaitedFor, useDatabase } from '../../support/app/database.ts'
import { follows, person } from '../../support/app/people.ts'

const { sql } = useDatabase({ connections: 4 })

it('only one first account is created, however many are requested at the same moment', async () => {
  const { create } = accountsIn(sql)
  for (let round = 0; round < 5; round++) {
    await sql`truncate users cascade`
    const names = Array.from({ length: 8 }, (_, i) => `first${i}`)
    const made = await Promise.all(names.map(name => create(name, 'a hash', { only_first: true })))
    expect(made.filter(one => one !== 'not_first')).toHaveLength(1)
  }
})

/**
 * Deletes an account while a save has one of its channels and wants the other: a deadlock. Gives, when the account is gone, whether
 * Postgres ended the deletion, not the save.
 */
async function saveDuringDeletion(name: string): Promise<boolean> {
  const owner = await person(sql, name)
  for (const channel_id of ['a', 'b']) await follows(owner, channel_id, ['v1'])
  const { user } = owner
  const save = (tx: Queryable, channel_id: string) =>
    tx`update channels set title = 'Saved' where user_id = ${user.user_id} and channel_id = ${channel_id}`

  let removing: Promise<boolean> | undefined
  const saved = await sql
    .begin(async tx => {
      await save(tx, 'b')
      removing = accountsIn(sql).remove(user)
      await aLockIsWaitedFor(sql)
      await save(tx, 'a')
      return true
    })
    .catch(fault => (isDeadlock(fault) ? false : Promise.reject(fault)))

  await removing
  expect(await sql`select from channels where user_id = ${user.user_id}`).toHaveLength(0)
  return saved
}

it('an account is deleted although a save locks its channels in another order', async () => {
  // On a busy machine Postgres may end the save, which leaves the deletion nothing to do again.
  const tries: boolean[] = []
  while (!tries.includes(true) && tries.length < 5) tries.push(await saveDuringDeletion(`alice${tries.length}`))
  expect(tries).toContain(true)
})

/**
 * Replaces the link for a new password while its person uses it: each has a row that the other wants. Gives, when both have ended, whether
 * Postgres ended the use, not the replacement.
 */
async function replaceDuringUse(name: string): Promise<boolean> {
  const { user } = await person(sql, name)
  const reset = { kind: 'reset', user_id: user.user_id, opens: {}, lasts_s: 60 } as const
  const { token } = await secretsIn(sql).make(reset)
  let using: Promise<unknown> | undefined
  const replaced = await sql
    .begin(async tx => {
      await tx`select from users where id = ${user.user_id} for update`
      using = accountsIn(sql).resetPassword(token, 'another hash')
      await aLockIsWaitedFor(sql)
      await secretsIn(tx).make(reset)
      return true
    })
    .catch(fault => (isDeadlock(fault) ? false : Promise.reject(fault)))

  expect(await using).toEqual(replaced ? undefined : expect.objectContaining({ user_id: user.user_id }))
  return replaced
}

it('a link for a new password that is replaced while it is used opens nothing, and the use ends in order', async () => {
  // On a busy machine Postgres may end the replacement.
  const tries: boolean[] = []
  while (!tries.includes(true) && tries.length < 5) tries.push(await replaceDuringUse(`alice${tries.length}`))
  expect(tries).toContain(true)
})
