/**
 * Measures how long the worst documents block everything else while they are parsed and saved: the longest uninterrupted work of
 * the main thread, in processor time, so that a busy machine does not matter; and the longest delay of the event loop.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { parseApart } from '../../../src/feed/fetch/parse-apart.ts'
import { person } from '../../support/app/people.ts'
import { documentOf } from '../../support/media/feeds.ts'
import type { Bench } from '../run/bench.ts'

const most_bytes = 5 * 1024 * 1024 - 1000
const fill = (unit: string, length = most_bytes) => unit.repeat(Math.floor(length / unit.length))
const feed = (items: string) => `<rss><channel><title>T</title>${items}</channel></rss>`
const item = (n: number, text: string) =>
  `<item><link>https://a.example/${n}</link><title>T ${n}</title><description>${text}</description></item>`
const items = (count: number, text: string) => feed(Array.from({ length: count }, (_, n) => item(n, text)).join(''))

const documents: Record<string, () => string> = {
  'signs after a tag': () => feed(item(1, `<a/>${fill('&lt;')}`)),
  'escaped tag': () => feed(item(1, `&lt;b>${fill('&lt;')}`)),
  entities: () => feed(item(1, fill('&amp;'))),
  'one huge text': () => feed(item(1, fill('x'))),
  '200k items': () => feed(fill('<item><a/></item>')),
  '5,000 items of 900 characters': () => items(5000, 'word '.repeat(180)),
  '5,000 items of quotes': () => items(5000, '"'.repeat(900)),
  '100 items of 50,000': () => items(100, 'x'.repeat(50_000)),
  namespaces: () => feed(Array.from({ length: 90_000 }, (_, n) => `<a${n}:b xmlns:a${n}="http://x${n}"/>`).join('')),
}

export async function worstFeeds({ checkouts: { now }, databases }: Bench): Promise<object[]> {
  const { sql } = await databases.create(now)
  const { library } = await person(sql, 'bomber')
  const rows = []
  for (const [name, text] of Object.entries(documents)) {
    const document = documentOf(text())
    await pause(50)
    const parsing = watch()
    const began = performance.now()
    const outcome = await parseApart(document, 'https://a.example/feed').catch((refusal: Error) => refusal)
    const parse_ms = performance.now() - began
    await pause(10)
    const parsed = parsing()
    const saving = watch()
    if (!(outcome instanceof Error))
      await library.channels.save({ channel_id: name, title: name, rss_url: 'https://a.example/feed' }, outcome.entries)
    await pause(10)
    const saved = saving()
    rows.push({
      document: name,
      entries: outcome instanceof Error ? outcome.message.slice(0, 40) : outcome.entries.length,
      'parse ms': parse_ms.toFixed(0),
      'work, parsing': parsed.work_ms,
      'work, saving': saved.work_ms,
      'delay, parsing': parsed.delay_ms,
      'delay, saving': saved.delay_ms,
    })
  }
  return rows
}

/** Reads this thread's processor time every millisecond; the largest increase is one piece of work. */
function watch(): () => { work_ms: string; delay_ms: string } {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  let last = process.threadCpuUsage()
  let longest_us = 0
  const look = () => {
    const { user, system } = process.threadCpuUsage(last)
    last = process.threadCpuUsage()
    longest_us = Math.max(longest_us, user + system)
  }
  const timer = setInterval(look, 1)
  return () => {
    look()
    clearInterval(timer)
    delay.disable()
    return { work_ms: (longest_us / 1000).toFixed(0), delay_ms: (delay.max / 1e6).toFixed(0) }
  }
}
