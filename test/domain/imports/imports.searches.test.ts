/** Saved searches that are imported beside those of the person. */
import { expect, it } from 'vitest'
import { archiveOf, beginImport } from '../../../src/domain/imports/imports.ts'
import { max_searches } from '../../../src/schema/search/saved-search.ts'
import { useDatabase } from '../../support/app/database.ts'
import { workThrough } from '../../support/app/imports.ts'
import { type Person, person } from '../../support/app/people.ts'

const { sql } = useDatabase()

const save = ({ library }: Person, name: string, q: string) => library.searches.create({ name, q, sort: 'newest' })
const namesOf = async ({ library }: Person) => (await library.searches.list()).map(({ name, q }) => `${name}: ${q}`)

async function completeWithFile(to: Person, from: Person): Promise<void> {
  const pieces = await Array.fromAsync(archiveOf(from.library, new Date('2026-11-22T12:00:00Z')))
  const { import_id } = await beginImport(to.library, Buffer.from(pieces.join('')))
  while ((await workThrough(to, import_id)) === 'more');
}

it('adds the saved searches that are missing, and keeps those of the same name', async () => {
  const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
  await save(alice, 'Bread', 'bread')
  await save(alice, 'Tea', 'tea')
  const { saved_search_id } = await save(alice, 'Removed', 'soup')
  await alice.library.searches.remove(saved_search_id)
  await save(bob, 'BREAD', 'rolls')
  await completeWithFile(bob, alice)
  expect(await namesOf(bob)).toEqual(['BREAD: rolls', 'Tea: tea'])
})

it('adds no more than a person may have', async () => {
  const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
  for (let at = 0; at < max_searches; at++) await save(alice, `Hers ${at}`, 'bread')
  for (let at = 0; at < 3; at++) await save(bob, `His ${at}`, 'tea')
  await completeWithFile(bob, alice)
  expect(await bob.library.searches.list()).toHaveLength(max_searches)
})
