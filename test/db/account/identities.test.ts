/** Identities: found by their key only, linked by their owner, and never the way to another account. */
import { expect, it } from 'vitest'
import { identitiesIn, identitiesOf } from '../../../src/db/account/identities.ts'
import { useDatabase } from '../../support/app/database.ts'
import { person } from '../../support/app/people.ts'

const { sql } = useDatabase({ connections: 8 })
const { find, create } = identitiesIn(sql)
const at = (subject: string, issuer = 'https://id.example', name = 'a name') => ({ issuer, subject, name })

async function created(subject: string, username: string, more: { numbered?: boolean } = {}) {
  const account = await create(at(subject), { username, ...more })
  if (typeof account === 'string') throw new Error(account)
  return account
}

it('finds an account by issuer and subject, and notes the use', async () => {
  const alice = await created('found', 'found-alice')
  expect(await find(at('found'))).toEqual(alice)
  expect(await find(at('found', 'https://other.example'))).toBeUndefined()
  expect(await find(at('Found'))).toBeUndefined()

  await sql`update identities set last_used_at = now() - interval '1 day' where subject = 'found'`
  await find(at('found'))
  const [identity] = await identitiesOf(sql, alice.user_id).list()
  expect(identity?.last_used_at?.getTime()).toBeGreaterThan(Date.now() - 3_600_000)
})

it('never finds or links an account by the name of the identity', async () => {
  const { user } = await person(sql, 'namesake')
  expect(await find(at(user.username, 'https://id.example', user.username))).toBeUndefined()
  expect(await create(at('namesake', 'https://id.example', user.username), { username: user.username })).toBe('taken')
  expect(await identitiesOf(sql, user.user_id).list()).toEqual([])
})

it('gives a taken name a number, also to people who come at the same moment, and keeps it at 32 letters', async () => {
  await person(sql, 'someone')
  const names = await Promise.all(
    Array.from({ length: 6 }, async (_, nth) => (await created(`same-${nth}`, 'Sam', { numbered: true })).username),
  )
  expect(names.toSorted()).toEqual(['Sam', 'Sam-2', 'Sam-3', 'Sam-4', 'Sam-5', 'Sam-6'])

  const long = 'x'.repeat(32)
  await created('long-1', long)
  expect((await created('long-2', long.toUpperCase(), { numbered: true })).username).toBe(`${'X'.repeat(30)}-2`)
})

it('creates one account for an identity that comes twice at the same moment', async () => {
  const accounts = await Promise.all(Array.from({ length: 6 }, () => created('twice', 'twice', { numbered: true })))
  expect(new Set(accounts.map(({ user_id }) => user_id)).size).toBe(1)
  expect(await sql`select from users where username like 'twice%'`).toHaveLength(1)
})

it('creates no account with only_first once there is one', async () => {
  await person(sql, 'someone')
  expect(await create(at('late'), { username: 'late', only_first: true })).toBe('not_first')
})

it('links an identity to its owner, and refuses one that opens another account', async () => {
  const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
  const [hers, his] = [identitiesOf(sql, alice.user.user_id), identitiesOf(sql, bob.user.user_id)]
  expect(await hers.link(at('hers'))).toBe(true)
  expect(await hers.link(at('hers'))).toBe(true)
  expect(await his.link(at('hers'))).toBe(false)
  expect((await find(at('hers')))?.user_id).toBe(alice.user.user_id)
  expect(await hers.list()).toMatchObject([{ subject: 'hers', issuer: 'https://id.example', name: 'a name' }])
  expect(await his.list()).toEqual([])
})

it('unlinks own identities only', async () => {
  const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
  await identitiesOf(sql, alice.user.user_id).link(at('own'))
  expect(await identitiesOf(sql, bob.user.user_id).unlink(at('own'))).toBe('absent')
  expect(await identitiesOf(sql, alice.user.user_id).unlink(at('own'))).toBe('removed')
  expect(await find(at('own'))).toBeUndefined()
})

it('keeps the last way in, also when all are removed at the same moment', async () => {
  const carol = await created('way-0', 'way-carol')
  const own = identitiesOf(sql, carol.user_id)
  const ways = Array.from({ length: 4 }, (_, nth) => at(`way-${nth}`))
  for (const way of ways) await own.link(way)
  const removals = await Promise.all(ways.map(way => own.unlink(way)))
  expect(removals.toSorted()).toEqual(['last', 'removed', 'removed', 'removed'])
  expect(await own.list()).toHaveLength(1)
})
