/** Searches of one person who has 500,000 videos, one after another. */
import { type Bench, compare, type Line, onSides } from '../run/bench.ts'
import { addPeople, fillLibraries, letterOf, wordOf } from '../run/seed.ts'

const searches = [
  { what: 'search: a rare word', q: wordOf(9000) },
  { what: 'search: a word of half of all videos', q: wordOf(6) },
  { what: 'search: a word of nearly all videos', q: wordOf(1) },
  { what: 'search: two common words', q: `${wordOf(3)} ${wordOf(11)}` },
  { what: 'search: a common and a rare word', q: `${wordOf(3)} ${wordOf(7000)}` },
  { what: 'search: a phrase of common words', q: `"${wordOf(3)} ${wordOf(11)}"` },
  { what: 'search: without a common word', q: `-${wordOf(1)}` },
  { what: 'search: without three common words', q: `-${wordOf(1)} -${wordOf(2)} -${wordOf(3)}` },
  { what: 'search: a word in a script without spaces', q: [2, 3, 5].map(letterOf).join('') },
]

export async function search(bench: Bench): Promise<Line[]> {
  const size = bench.quick
    ? { channels: 20, entries_each: 50, unspaced_every: 10 }
    : { channels: 500, entries_each: 1000, unspaced_every: 10 }
  // A person may search 240 times a minute, and there are nine searches with six rounds each.
  const amount = bench.quick ? 2 : 4
  const sides = await onSides(bench, async side => {
    const people = await addPeople(side.database.sql, 1)
    await fillLibraries(side.database.sql, people, size)
    return { ...side, people, web: await side.start('web') }
  })
  const lines: Line[] = []
  for (const { what, q } of searches) {
    const path = `/api/search?q=${encodeURIComponent(q)}`
    // The few texts of a quick run lack the rare words.
    if (!bench.quick)
      for (const side of Object.values(sides)) await requireResults(side.web.url + path, side.people[0]?.headers ?? {})
    const figures = await compare(bench, sides, side =>
      side.oneByOne(side.web, { amount, requests: side.people.map(({ headers }) => ({ path, headers })) }),
    )
    lines.push({ what, unit: 'ms', less: true, reach: '≤ 50 ms', ...figures })
  }
  return lines
}

/** A search that finds nothing is fast. */
async function requireResults(url: string, headers: Record<string, string>): Promise<void> {
  const found = (await (await fetch(url, { headers })).json()) as { entries?: unknown[] }
  if (!found.entries?.length) throw new Error(`${url} found nothing`)
}
