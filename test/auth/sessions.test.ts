import { expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { person } from '../support/people.ts'

const { ask, sql } = useApp()

it('ends every session of somebody who is gone', async () => {
  const alice = await person(sql, 'alice')
  expect((await ask('/api/channels', { as: alice })).status).toBe(200)
  await sql`delete from users where id = ${alice.user.user_id}`
  expect((await ask('/api/channels', { as: alice })).status).toBe(401)
})
