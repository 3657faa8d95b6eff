/** Saved searches, by the API. */
import { expect } from 'vitest'
import { max_searches } from '../../../src/schema/search/saved-search.ts'
import { useApp, withPeople } from '../../support/app/app.ts'
import { type Person, person } from '../../support/app/people.ts'

const app = useApp()
const { ask, sql, jsonAt } = app
const it = withPeople(app)

const send = (as: Person, json: object) => ask('/api/searches', { as, json })
const save = async (as: Person, name: string, q = 'bread') => (await send(as, { name, q })).json()
const listOf = async (as: Person) => (await jsonAt('/api/searches', { as })).searches
const put = (as: Person, saved_search_id: string, json: object) =>
  ask(`/api/searches/${saved_search_id}`, { as, method: 'PUT', json })
const remove = (as: Person, saved_search_id: string) =>
  ask(`/api/searches/${saved_search_id}`, { as, method: 'DELETE' })
const many = (alice: Person) => sql`
  insert into saved_searches (user_id, name, q, sort)
  select ${alice.user.user_id}, 'Search ' || n, 'bread', 'newest' from generate_series(1, ${max_searches}) n`

it('a search is saved as it was typed, and is listed by its name', async ({ alice, bob }) => {
  const saved = await send(alice, { name: '  Soup \n of the day ', q: ' soup "of the day" ', sort: 'newest' })
  const { saved_search_id, ...search } = await saved.json()
  expect([saved.status, search]).toEqual([201, { name: 'Soup of the day', q: 'soup "of the day"', sort: 'newest' }])
  await save(alice, 'bread')
  expect(await listOf(alice)).toEqual([
    { saved_search_id: expect.any(String), name: 'bread', q: 'bread', sort: 'relevance' },
    { saved_search_id, ...search },
  ])
  expect(await listOf(bob)).toEqual([])
})

it('all of a saved search can be changed', async ({ alice }) => {
  const { saved_search_id } = await save(alice, 'Bread')
  const changed = await put(alice, saved_search_id, { name: 'Tea', q: 'tea', sort: 'newest' })
  expect([changed.status, await changed.json()]).toEqual([
    200,
    { saved_search_id, name: 'Tea', q: 'tea', sort: 'newest' },
  ])
  expect(await listOf(alice)).toEqual([{ saved_search_id, name: 'Tea', q: 'tea', sort: 'newest' }])
})

it('a search of which nothing is understood is refused with the hint, also as a change', async ({ alice }) => {
  const { saved_search_id } = await save(alice, 'Bread')
  for (const refused of [
    await send(alice, { name: 'Tea', q: 'is:x' }),
    await put(alice, saved_search_id, { name: 'Tea', q: 'longer:x before:soon' }),
  ]) {
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ errors: { q: expect.stringMatching(/^Use /) } })
  }
  expect((await send(alice, { name: 'Tea', q: 'tea is:x' })).status).toBe(201)
  expect(await listOf(alice)).toMatchObject([{ q: 'bread' }, { q: 'tea is:x' }])
})

it('two saved searches of one person differ in their names, whatever the case', async ({ alice, bob }) => {
  const { saved_search_id } = await save(alice, 'Bread')
  const { saved_search_id: other } = await save(alice, 'Tea')
  expect((await send(alice, { name: 'BREAD', q: 'rolls' })).status).toBe(409)
  expect((await put(alice, other, { name: 'bread', q: 'tea' })).status).toBe(409)
  expect((await put(alice, saved_search_id, { name: 'BREAD', q: 'bread' })).status).toBe(200)
  expect((await send(bob, { name: 'Bread', q: 'bread' })).status).toBe(201)
})

it.each([
  ['an empty name', { name: ' ' }, 'name'],
  ['a name of 61 characters', { name: '𝔸'.repeat(61) }, 'name'],
  ['nothing to search for', { q: ' \u0000 ' }, 'q'],
  ['a query of 201 characters', { q: 'x'.repeat(201) }, 'q'],
  ['an unknown order', { sort: 'oldest' }, 'sort'],
])('refuses %s', async (_, change, field) => {
  const alice = await person(sql, 'alice')
  const refused = await send(alice, { name: 'Bread', q: 'bread', sort: 'newest', ...change })
  expect([refused.status, Object.keys((await refused.json()).errors)]).toEqual([422, [field]])
  expect(await listOf(alice)).toEqual([])
})

it.each(['x', '𝔸'.repeat(60), 'وثائقيات'])('takes the name "%s"', async name => {
  expect(await save(await person(sql, 'alice'), name, '𝔸'.repeat(100))).toMatchObject({ name })
})

it('a person has at most 50 saved searches', async ({ alice }) => {
  await many(alice)
  const refused = await send(alice, { name: 'One more', q: 'bread' })
  expect([refused.status, (await refused.json()).detail]).toEqual([
    422,
    'You have 50 saved searches, the most there can be. Remove one first.',
  ])
})

it('a removed search is gone, and comes back with all it had', async ({ alice }) => {
  const { saved_search_id } = await save(alice, 'Bread')
  const [before] = await listOf(alice)
  expect([(await remove(alice, saved_search_id)).status, (await remove(alice, saved_search_id)).status]).toEqual([
    204, 404,
  ])
  expect((await put(alice, saved_search_id, { name: 'Tea', q: 'tea' })).status).toBe(404)
  expect(await listOf(alice)).toEqual([])
  expect(await alice.library.searches.restore(saved_search_id)).toEqual(before)

  await remove(alice, saved_search_id)
  await save(alice, 'bread')
  await expect(alice.library.searches.restore(saved_search_id)).rejects.toThrow('by now. Rename that one')
})

it('a removed search that would be one too many is not restored', async ({ alice }) => {
  const { saved_search_id } = await save(alice, 'Bread')
  await remove(alice, saved_search_id)
  await many(alice)
  await expect(alice.library.searches.restore(saved_search_id)).rejects.toMatchObject({ code: 'invalid' })
})

it('a removed search can be restored for a day, the newest 50 of them', async ({ alice }) => {
  await sql`
    insert into saved_searches (user_id, name, q, sort, deleted_at)
    select ${alice.user.user_id}, 'Search ' || n, 'bread', 'newest', now() - n * interval '1 minute'
    from   generate_series(1, 60) n`
  const [old, late] = [await save(alice, 'Old'), await save(alice, 'Late')]
  await remove(alice, old.saved_search_id)
  await sql`update saved_searches set deleted_at = now() - interval '25 hours' where name = 'Old'`
  await remove(alice, late.saved_search_id)
  const kept = await sql<{ name: string }[]>`
    select name from saved_searches where user_id = ${alice.user.user_id} order by deleted_at desc`
  expect([kept.length, kept[0]?.name, kept.at(-1)?.name]).toEqual([50, 'Late', 'Search 49'])
  expect(await alice.library.searches.restore(old.saved_search_id)).toBeUndefined()
})
