/** `npm run bench`: measures our way and the obvious other way in turns, in one run. Read the ratios; milliseconds depend on the machine. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createDatabase } from '../../src/db/postgres/client.ts'
import { openEmbeddedPostgres } from '../../src/db/postgres/embedded.ts'
import { migrateUp } from '../../src/db/postgres/migrations.ts'
import { neighbours } from './neighbours.ts'
import { pages } from './pages.ts'
import { saving } from './saving.ts'
import { places, slots } from './slots.ts'
import { statuses } from './statuses.ts'
import { streaming } from './streaming.ts'
import { worstFeeds } from './worst-feeds.ts'

/** Two ways to do one thing; each call does it once. */
export type Pair = { name: string; ours(): Promise<unknown>; other(): Promise<unknown>; close?(): Promise<unknown> }

const rounds = 7

const folder = await mkdtemp(join(tmpdir(), 'backlot-bench-'))
const server = await openEmbeddedPostgres(join(folder, 'postgres'))
const url = server.url('bench')
await createDatabase(url)
await migrateUp(url)
const sql = connect(url)

/** Each part prints its own figures. `npm run bench -- neighbours slots` runs only these two. */
const parts: Record<string, () => Promise<void>> = {
  async pairs() {
    console.table(await ratiosOf([...(await saving(sql)), await statuses(sql), await streaming(sql, folder)]))
  },
  async places() {
    const place_ms = await places(sql)
    console.log(`Queue positions of 50 downloads, while 10,000 of 100 people wait: ${place_ms.toFixed(1)} ms`)
    await sql`truncate graphile_worker._private_jobs`
  },
  async slots() {
    console.log('Wait of a small video behind one other person:')
    console.table(await slots(sql, folder, url))
  },
  async feeds() {
    console.log('Longest time that a document blocks everything else while it is parsed and saved, in ms:')
    console.table(await worstFeeds(sql))
  },
  async neighbours() {
    console.log('/login for another person, while one person overloads the service:')
    console.table(await neighbours(sql, url, folder))
  },
  async pages() {
    console.log('Pages with 150 ms round trip and 1.6 Mbit/s (Lighthouse: Slow 4G), without pictures:')
    console.table(await pages(sql))
  },
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => !(name in parts))

try {
  if (unknown.length > 0)
    throw new Error(`There is no part ${unknown.join(', ')}. Choose from ${Object.keys(parts).join(', ')}.`)
  for (const [name, part] of Object.entries(parts)) if (wanted.length === 0 || wanted.includes(name)) await part()
} finally {
  await sql.end()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

async function ratiosOf(pairs: Pair[]): Promise<object[]> {
  const rows = []
  for (const pair of pairs) {
    const times = { ours: [] as number[], other: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      times.ours.push(await timed(pair.ours))
      times.other.push(await timed(pair.other))
    }
    await pair.close?.()
    const [ours, other] = [middle(times.ours), middle(times.other)]
    rows.push({
      what: pair.name,
      'ours ms': ours.toFixed(1),
      'other ms': other.toFixed(1),
      'other ÷ ours': (other / ours).toFixed(2),
    })
  }
  return rows
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function middle(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}
