/**
 * `npm run bench`: measures the service as real processes, and next to each figure the bound that it is compared with, in turns in
 * one run. Read the ratios and the processor time; rates depend on the machine. README.md explains the rows.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { minifluxIsHere } from './bounds/miniflux.ts'
import { neighbours } from './further/neighbours.ts'
import { room } from './further/room.ts'
import { slots } from './further/slots.ts'
import { slowLines } from './further/slow-lines.ts'
import { smallMachine } from './further/small-machine.ts'
import { words } from './further/words.ts'
import { worstFeeds } from './further/worst-feeds.ts'
import { download } from './household/download.ts'
import { firstPicture } from './household/first-picture.ts'
import { follow } from './household/follow.ts'
import { importOfAList } from './household/import.ts'
import { pagesOfALibrary } from './household/pages.ts'
import { rest } from './household/rest.ts'
import { feeds } from './rows/feeds.ts'
import { followers } from './rows/followers.ts'
import { queue } from './rows/queue.ts'
import { scale } from './rows/scale.ts'
import { search } from './rows/search.ts'
import { status } from './rows/status.ts'
import { stream } from './rows/stream.ts'
import type { Bench, Line } from './run/bench.ts'
import { endChildren } from './run/children.ts'
import { openDatabases } from './run/database.ts'
import { tableOf } from './run/report.ts'

/** What a household feels. `npm run bench -- household` measures these. */
const household: Record<string, (bench: Bench) => Promise<Line[]>> = {
  'first-picture': firstPicture,
  pages: pagesOfALibrary,
  follow,
  import: importOfAList,
  rest,
  download,
}

/** The rows behind it: many people, large libraries, parts of the service. `npm run bench -- feeds status` measures only these two. */
const rows: typeof household = { ...household, feeds, followers, status, search, stream, queue, scale }

/** Questions that the rows leave open. Each prints a table of its own, and runs only when it is named. */
const further: Record<string, (bench: Bench) => Promise<object[]>> = {
  neighbours,
  room,
  slots,
  'slow-lines': slowLines,
  'small-machine': smallMachine,
  'worst-feeds': worstFeeds,
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
const known = ['household', ...Object.keys(rows), ...Object.keys(further)]
const unknown = positionals.filter(name => !known.includes(name))
if (unknown.length > 0) throw new Error(`There is no row ${unknown.join(', ')}. Choose from ${known.join(', ')}.`)
const named = positionals.flatMap(name => (name === 'household' ? Object.keys(household) : name))
const wanted = named.length > 0 ? named : Object.keys(rows)

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
  first_rounds: options.quick ? 0 : 1,
  checkouts: { ...(options.beside && { before: resolve(options.beside) }), now: process.cwd() },
  say: line => console.log(line),
}

if (!minifluxIsHere) bench.say('MINIFLUX does not name a binary of Miniflux, so its figures are left out.')
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
