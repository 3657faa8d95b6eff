/** The pages and lists of a person with 500 channels and 30,000 videos. */
import { type Bench, compare, type Line, onSides } from '../run/bench.ts'
import { addPeople, fillLibraries } from '../run/seed.ts'

/**
 * `amount`: requests in a round. One person may send 1,200 requests a minute, so several people with a library of this size share them.
 */
export const pages = [
  { what: 'channel page', path: '/channels/c7', amount: 400, reach: '≥ 1,200/s' },
  { what: 'history of 50 as JSON', path: '/api/history/c7?limit=50', amount: 800, reach: '≥ 2,500/s' },
  { what: 'home', path: '/', amount: 200, reach: '≥ 600/s' },
  { what: 'the newest 40 as JSON', path: '/api/videos?limit=40', amount: 500, reach: '≥ 1,500/s' },
  { what: 'list of 500 channels', path: '/channels', amount: 200, reach: '≥ 500/s' },
]

export async function pagesOfALibrary(bench: Bench): Promise<Line[]> {
  const size = bench.quick
    ? { people: 2, channels: 20, entries_each: 60 }
    : { people: 12, channels: 500, entries_each: 60 }
  const sides = await onSides(bench, async side => {
    const people = await addPeople(side.database.sql, size.people)
    await fillLibraries(side.database.sql, people, size)
    return { ...side, people, web: await side.start('web') }
  })
  const lines: Line[] = []
  for (const { path, amount: full, ...line } of pages) {
    const amount = bench.quick ? full / 10 : full
    const load = (side: (typeof sides)['now'] & object) =>
      side.loaded(side.web, { amount, requests: side.people.map(({ headers }) => ({ path, headers })) })
    lines.push({ ...line, unit: '/s', ...(await compare(bench, sides, load)) })
  }
  return lines
}
