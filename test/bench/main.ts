/**
 * `npm run bench`: measures the service as real processes, and next to each figure the bound that it is compared with, in turns in
 * one run. Read the ratios and the processor time; rates depend on the machine. README.md explains the rows.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { neighbours } from './further/neighbours.ts'
import { room } from './further/room.ts'
import { slots } from './further/slots.ts'
import { slowLines } from './further/slow-lines.ts'
import { watch } from './further/watch.ts'
import { words } from './further/words.ts'
import { worstFeeds } from './further/worst-feeds.ts'
import { download } from './rows/download.ts'
import { feeds } from './rows/feeds.ts'
import { firstLook } from './rows/first-look.ts'
import { followers } from './rows/followers.ts'
import { full } from './rows/full.ts'
import { importOfAList } from './rows/import.ts'
import { memory } from './rows/memory.ts'
import { pagesOfALibrary } from './rows/pages.ts'
import { queue } from './rows/queue.ts'
import { scale } from './rows/scale.ts'
import { search } from './rows/search.ts'
import { start } from './rows/start.ts'
import { status } from './rows/status.ts'
import { stream } from './rows/stream.ts'
import type { Bench, Line } from './run/bench.ts'
import { endChildren } from './run/children.ts'
import { openDatabases } from './run/database.ts'
import { tableOf } from './run/report.ts'

/** `npm run bench -- feeds status` measures only these. */
const rows: Record<string, (bench: Bench) => Promise<Line[]>> = {
  feeds,
  followers,
  import: importOfAList,
  status,
  pages: pagesOfALibrary,
  search,
  stream,
  queue,
  memory,
  start,
  download,
  'first-look': firstLook,
  scale,
  full,
}

/** Questions that the rows leave open. Each prints a table of its own, and runs only when it is named. */
const further: Record<string, (bench: Bench) => Promise<object[]>> = {
  neighbours,
  room,
  slots,
  'slow-lines': slowLines,
  'worst-feeds': worstFeeds,
  watch,
  words,
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** The folder of an older checkout, with its packages installed. */
    beside: { type: 'string' },
    quick: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
  },
})
const known = [...Object.keys(rows), ...Object.keys(further)]
const unknown = positionals.filter(name => !known.includes(name))
if (unknown.length > 0) throw new Error(`There is no row ${unknown.join(', ')}. Choose from ${known.join(', ')}.`)
const wanted = positionals.length > 0 ? positionals : Object.keys(rows)

const folder = await mkdtemp(join(tmpdir(), 'backlot-bench-'))
const databases = await openDatabases(folder)
const close = async () => {
  await endChildren()
  await databases.close()
  await rm(folder, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => close().finally(() => process.exit(1)))

const bench: Bench = {
  databases,
  folder,
  quick: options.quick,
  rounds: options.quick ? 1 : 5,
  checkouts: { ...(options.beside && { before: resolve(options.beside) }), now: process.cwd() },
  say: line => console.log(line),
}

const all: Line[] = []
for (const name of wanted) {
  const began = performance.now()
  const lines = (await rows[name]?.(bench).catch(failed)) ?? []
  const table = await further[name]?.(bench).catch(failed)
  await endChildren()
  all.push(...lines)
  console.log(`\n${name} (${((performance.now() - began) / 1000).toFixed(0)} s)`)
  if (table) console.table(table)
  else console.log(tableOf(lines, false))
}
if (options.markdown) console.log(tableOf(all, true))
if (options.quick && positionals.length === 0) await requireInReadme(all)
await close()
// Servers in this process may still listen.
process.exit()

/** So that the table of the README and the rows stay the same. A figure without nginx may be missing. */
async function requireInReadme(lines: Line[]): Promise<void> {
  // The formatter pads the cells of tables.
  const readme = (await readFile(new URL('README.md', import.meta.url), 'utf8')).replace(/ +/g, ' ')
  const missing = lines.map(({ what }) => what).filter(what => !readme.includes(`\n| ${what} | `))
  if (missing.length > 0) failed(`test/bench/README.md lacks the rows: ${missing.join('; ')}`)
}

/** The other rows are measured all the same. */
function failed(fault: unknown): void {
  process.exitCode = 1
  console.error(fault)
}
