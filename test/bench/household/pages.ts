/** The pages of a person with 500 channels and 30,000 videos while 32 requests are under way, and what the web process holds afterwards. */
import { setTimeout } from 'node:timers/promises'
import { openMiniflux } from '../bounds/miniflux.ts'
import { type Bench, compare, fewRounds, type Line, onSides } from '../run/bench.ts'
import { addPeople, fillLibraries, wordOf } from '../run/seed.ts'

const search = (words: string) => {
  const path = `/search?q=${encodeURIComponent(words)}`
  return { path, of_miniflux: path, amount: 64 }
}

/** `encoding`: in which the answer is accepted. */
type Page = Pick<Line, 'what' | 'reach'> & { path: string; of_miniflux: string; amount: number; encoding?: string }

/** What browsers send. */
const of_browsers = { Accept: 'text/html' }

const pages: Page[] = [
  { what: 'New', path: '/', of_miniflux: '/unread', amount: 128, reach: '≤ 3.5 ms CPU' },
  { what: '… compressed with Brotli', path: '/', of_miniflux: '/unread', amount: 128, encoding: 'br' },
  { what: 'a channel', path: '/channels/c7', of_miniflux: '/feed/7/entries', amount: 128, reach: '≤ 3.5 ms CPU' },
  { what: 'list of channels', path: '/channels', of_miniflux: '/feeds', amount: 128, reach: '≤ 3.5 ms CPU' },
  { what: 'search for a rare word', ...search(wordOf(9000)) },
  { what: 'search for two common words', ...search(`${wordOf(3)} ${wordOf(11)}`) },
]

export async function pagesOfALibrary(bench: Bench): Promise<Line[]> {
  const library = bench.quick ? { channels: 20, entries_each: 60 } : { channels: 500, entries_each: 60 }
  const sides = await onSides(bench, async side => {
    // One person may send 1,200 requests a minute, and search 240 times.
    const people = await addPeople(side.database.sql, bench.quick ? 2 : 4)
    await fillLibraries(side.database.sql, people, library)
    return { ...side, people, web: await side.start('web') }
  })
  const miniflux = await openMiniflux(bench, library)
  const few = fewRounds(bench)
  const lines: Line[] = []
  for (const { path, of_miniflux, amount: full, encoding, ...line } of pages) {
    const amount = bench.quick ? full / 8 : full
    const more = { ...of_browsers, ...(encoding && { 'Accept-Encoding': encoding }) }
    const load = ({ crowded, web, people }: (typeof sides)['now'] & object) =>
      crowded(web, { amount, requests: people.map(({ headers }) => ({ path, headers: { ...headers, ...more } })) })
    const figures = await compare(few, sides, load, {
      Miniflux:
        miniflux &&
        (() =>
          miniflux.crowded(miniflux, {
            amount,
            requests: [{ path: of_miniflux, headers: { ...miniflux.headers, ...more } }],
          })),
    })
    lines.push({ ...line, unit: 'ms', less: true, ...figures })
  }
  await setTimeout(bench.quick ? 500 : 10_000)
  const memory = await compare(
    { ...bench, rounds: 1, first_rounds: 0 },
    sides,
    async ({ web }) => ({ value: (await web.usage()).mb }),
    { Miniflux: miniflux && (async () => ({ value: (await miniflux.usage()).mb })) },
  )
  return [...lines, { what: 'memory of web after these pages', unit: 'MB', less: true, ...memory }]
}
