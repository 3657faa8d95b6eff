/** Resident memory: of all in one that does nothing, without its Postgres; and of web after many requests for pages. */
import { setTimeout } from 'node:timers/promises'
import { type Bench, compare, type Line, onSides } from '../run/bench.ts'
import type { Running } from '../run/checkout.ts'
import type { Figure } from '../run/figures.ts'
import { addPeople, fillLibraries } from '../run/seed.ts'
import { pages } from './pages.ts'

export async function memory(bench: Bench): Promise<Line[]> {
  const size = bench.quick
    ? { people: 1, channels: 10, entries_each: 20 }
    : { people: 6, channels: 500, entries_each: 60 }
  const rest_ms = bench.quick ? 500 : 10_000
  const few = { ...bench, rounds: bench.quick ? 1 : 3 }
  const sides = await onSides(bench, async side => {
    const people = await addPeople(side.database.sql, size.people)
    await fillLibraries(side.database.sql, people, size)
    return { ...side, people }
  })
  const rested = async (running: Running): Promise<Figure> => {
    await setTimeout(rest_ms)
    const { mb } = await running.usage()
    await running.stop()
    return { value: mb }
  }
  // Without a database address, the service starts the embedded Postgres.
  const at_rest = await compare(few, sides, async side => rested(await side.start('start', { DATABASE_URL: '' })))
  const after_load = await compare(few, sides, async side => {
    const web = await side.start('web')
    for (const { path } of pages) {
      const requests = side.people.map(({ headers }) => ({ path, headers }))
      await side.loaded(web, { amount: bench.quick ? 20 : 1000, requests })
    }
    return rested(web)
  })
  return [
    { what: 'memory at rest, all in one', unit: 'MB', less: true, reach: '≤ 140 MB', ...at_rest },
    { what: 'memory of web after 5,000 pages', unit: 'MB', less: true, reach: '≤ 220 MB', ...after_load },
  ]
}
