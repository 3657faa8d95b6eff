/** One person's library of 10,000 videos, alone and in a table of 5 million. */
import { type Bench, compare, type Line, onSides } from '../run/bench.ts'
import type { Figure } from '../run/figures.ts'
import { runInside } from '../run/inside.ts'
import { fillNeighbours } from '../run/neighbours.ts'
import { addPeople, fillLibraries } from '../run/seed.ts'
import { openSide, type Side } from '../run/side.ts'

const requests = [
  { what: 'status', path: '/api/download/status/c7v7' },
  { what: 'history of 50', path: '/api/history/c7?limit=50' },
  { what: 'home', path: '/' },
]

export async function scale(bench: Bench): Promise<Line[]> {
  const size = bench.quick ? { channels: 10, entries_each: 20 } : { channels: 40, entries_each: 250 }
  const neighbours = bench.quick ? { people: 5, entries_each: 1000 } : { people: 500, entries_each: 10_000 }
  const amount = bench.quick ? 3 : 60

  const withLibrary = async (side: Side) => {
    const people = await addPeople(side.database.sql, 1)
    await fillLibraries(side.database.sql, people, size)
    return { ...side, people, web: await side.start('web') }
  }
  type Filled = Awaited<ReturnType<typeof withLibrary>>
  const large = await onSides(bench, async side => {
    await fillNeighbours(side.database.sql, neighbours)
    return withLibrary(side)
  })
  const small = await withLibrary(await openSide('now', bench.checkouts.now, bench.databases, bench.folder))

  const lineOf = async (what: string, measure: (side: Filled) => Promise<Figure>): Promise<Line> => ({
    what: `one library in 5 million rows: ${what}`,
    unit: 'ms',
    less: true,
    reach: '≤ 1.2 × the time in 10,000 rows',
    ...(await compare(bench, large, measure, { 'in 10,000 rows': () => measure(small) })),
  })
  const lines: Line[] = []
  for (const { what, path } of requests)
    lines.push(
      await lineOf(what, side =>
        side.oneByOne(side.web, { amount, requests: side.people.map(({ headers }) => ({ path, headers })) }),
      ),
    )
  for (const [what, program] of [
    ['save of a feed with 15 new entries', 'save.ts'],
    ['claim of a download', 'start.ts'],
  ] as const)
    lines.push(await lineOf(what, side => runInside(side, program, { amount, user_id: side.people[0]?.user_id })))
  return lines
}
