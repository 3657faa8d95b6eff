/**
 * How long one person waits for a page: with 300 channels, 5,000 videos in the first of them and 200 queued downloads,
 * and with ten of each. One person may send 1,200 requests a minute, so several share them.
 */
import { type Bench, compare, type Line, onSides } from '../run/bench.ts'
import type { Figure } from '../run/figures.ts'
import { addPeople, fillLibraries } from '../run/seed.ts'
import { openSide, type Side } from '../run/side.ts'
import { requestDownloads } from './queue.ts'

const requests = [
  { what: 'New', path: '/' },
  { what: 'list of channels', path: '/channels' },
  { what: 'the channel', path: '/channels/c1' },
  { what: 'Downloads', path: '/downloads' },
]

const ten = { channels: 10, of_first: 10, entries_each: 1, queued: 10 }
const many = { channels: 300, of_first: 5000, entries_each: 60, queued: 200 }

export async function full(bench: Bench): Promise<Line[]> {
  const amount = bench.quick ? 3 : 60

  const withLibrary = async (side: Side, { queued, ...library }: typeof many) => {
    const people = await addPeople(side.database.sql, 4)
    await fillLibraries(side.database.sql, people, library)
    const web = await side.start('web')
    for (const person of people) await requestDownloads(web.url, person, queued)
    return { ...side, people, web }
  }
  const sides = await onSides(bench, side => withLibrary(side, bench.quick ? ten : many))
  const small = await withLibrary(await openSide('now', bench.checkouts.now, bench.databases, bench.folder), ten)

  const lines: Line[] = []
  for (const { what, path } of requests) {
    const measure = (side: typeof small): Promise<Figure> =>
      side.oneByOne(side.web, { amount, requests: side.people.map(({ headers }) => ({ path, headers })) })
    const figures = await compare(bench, sides, measure, { 'ten of each': () => measure(small) })
    lines.push({ what: `one full library: ${what}`, unit: 'ms', less: true, reach: '≤ 50 ms', ...figures })
  }
  return lines
}
