/** The groups of an imported list. */
import { expect, it } from 'vitest'
import { max_groups } from '../../../src/schema/channels/group.ts'
import { useDatabase } from '../../support/app/database.ts'
import { workThrough } from '../../support/app/imports.ts'
import { type Person, person } from '../../support/app/people.ts'

const { sql } = useDatabase()

const importOf = async ({ library }: Person, addresses: string[], groups: { name: string; positions: number[] }[]) => {
  const lines = addresses.map(address => ({ address, title: null }))
  const list = { kind: 'opml' as const, lines, passed_over: 0, content: null, groups }
  return (await library.imports.begin(async () => list)) ?? ''
}
const groupsOf = async ({ library }: Person) =>
  Promise.all(
    (await library.groups.list()).map(async ({ group_id, name }) => [
      name,
      (await library.groups.channelIds(group_id)).toSorted(),
    ]),
  )

it('the channels of a list are in its groups, and a group that is here is used', async () => {
  const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
  await alice.library.groups.create('music')
  const addresses = ['https://a.example/a', 'https://b.example/b', 'https://c.example/gone']

  const import_id = await importOf(alice, addresses, [
    { name: 'Music', positions: [0, 2] },
    { name: 'News', positions: [0, 1] },
  ])
  await workThrough(alice, import_id)

  expect(await groupsOf(alice)).toEqual([
    ['music', ['a']],
    ['News', ['a', 'b']],
  ])
  expect(await alice.library.imports.find(import_id)).toMatchObject({ added: 2, failed: 1, content: null })
  expect(await groupsOf(bob)).toEqual([])
})

it('a list brings no more groups than a person may have, and known channels join them', async () => {
  const alice = await person(sql, 'alice')
  await workThrough(alice, await importOf(alice, ['https://a.example/a'], []))
  const many = Array.from({ length: max_groups }, (_, n) => ({ name: `Group ${n}`, positions: [0] }))
  await alice.library.groups.create('Mine')

  await workThrough(alice, await importOf(alice, ['https://a.example/a'], many))

  const groups = await groupsOf(alice)
  expect(groups).toHaveLength(max_groups)
  expect(groups.filter(([, channels]) => channels?.includes('a'))).toHaveLength(max_groups - 1)
})
