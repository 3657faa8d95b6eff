/** Sessions in the database: their end and their number. */
import { expect, it } from 'vitest'
import { sessionsIn } from '../../src/auth/sessions.ts'
import { useApp } from '../support/app/app.ts'
import { person } from '../support/app/people.ts'

const { ask, sql } = useApp()

it('deleting a user ends every session', async () => {
  const alice = await person(sql, 'alice')
  expect((await ask('/api/channels', { as: alice })).status).toBe(200)
  await sql`delete from users where id = ${alice.user.user_id}`
  expect((await ask('/api/channels', { as: alice })).status).toBe(401)
})

it('no session begins with a password that was changed after it was checked', async () => {
  const { user } = await person(sql, 'alice')
  const sessions = sessionsIn(sql)
  const proven = { ...user, password_hash: 'not a hash' }
  await sql`update users set password_hash = 'another' where id = ${user.user_id}`
  await sessions.endAll(user.user_id)

  expect(await sessions.begin(proven, false)).toBeUndefined()
  expect(await sessions.list(user.user_id)).toEqual([])
  expect(await sessions.begin({ ...proven, password_hash: 'another' }, false)).toBeDefined()
})

it('the 101st session of a user ends the least recently used one', async () => {
  const { user } = await person(sql, 'alice')
  const sessions = sessionsIn(sql)
  const proven = { ...user, password_hash: 'not a hash' }
  const [oldest] = await sessions.list(user.user_id)
  await sql`update sessions set used_at = now() - interval '1 hour' where user_id = ${user.user_id}`
  for (let n = 0; n < 100; n++) expect(await sessions.begin(proven, false)).toBeDefined()

  const kept = await sessions.list(user.user_id)
  expect(kept).toHaveLength(100)
  expect(kept.map(({ session_id }) => session_id)).not.toContain(oldest?.session_id)
})
