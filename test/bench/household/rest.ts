/**
 * The whole service with its embedded Postgres and 500 channels that are not due, with stored pictures: its start, and what it uses while
 * it does nothing.
 */
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { connect, createDatabase } from '../../../src/db/postgres/client.ts'
import { openEmbeddedPostgres, runningEmbeddedPostgres } from '../../../src/db/postgres/embedded.ts'
import { fillMiniflux, minifluxIsHere, startMiniflux } from '../bounds/miniflux.ts'
import { giveTools } from '../bounds/tools.ts'
import { type Bench, compare, fewRounds, type Line, onSides } from '../run/bench.ts'
import { startRole } from '../run/checkout.ts'
import type { Figure } from '../run/figures.ts'
import { addPeople, fillLibraries, storePictures } from '../run/seed.ts'
import type { Side } from '../run/side.ts'
import { cpuOfTrees, memoryOfTrees, parentOf } from '../run/usage.ts'

/** A service with a Postgres of its own. `roots`: the processes that started all others. */
type Started = { ready_s: number; roots: number[]; database_url: string; stop(): Promise<void> }
type Whole = () => Promise<Started>

export async function rest(bench: Bench): Promise<Line[]> {
  const library = bench.quick ? { channels: 10, entries_each: 20 } : { channels: 500, entries_each: 60 }
  const wholes = await onSides<Whole>(bench, async side => {
    const variables = await giveTools(side)
    const whole = () => startWhole(side, variables)
    await prepared(whole, async sql => {
      await fillLibraries(sql, await addPeople(sql, 1), library)
      await storePictures(sql)
    })
    return whole
  })
  const miniflux = minifluxIsHere && wholeMiniflux(join(bench.folder, 'miniflux'))
  if (miniflux) await prepared(miniflux, sql => fillMiniflux(sql, library))

  const few = fewRounds(bench)
  const starts = await compare(few, wholes, timedStart, { Miniflux: miniflux && (() => timedStart(miniflux)) })
  const idle = await idleTogether({ ...wholes, ...(miniflux && { Miniflux: miniflux }) }, bench.quick ? 1 : 60)
  const lineOf = (figure: keyof Idle, line: Pick<Line, 'what' | 'unit' | 'reach'>): Line => {
    const of = (name: string) => idle[name] && { [name]: { value: idle[name][figure] } }
    return { ...line, less: true, figures: { ...of('before'), ...of('now') }, bounds: { ...of('Miniflux') } }
  }
  return [
    { what: 'second start to ready', unit: 's', less: true, reach: '≤ 2 s', ...starts },
    lineOf('memory_mb', { what: 'memory at rest, with Postgres', unit: 'MB', reach: '≤ 200 MB' }),
    lineOf('busy_percent', { what: 'idle: of one core', unit: '%', reach: '≤ 0.5 %' }),
    lineOf('written_kb', { what: 'idle: written in a minute', unit: 'kB', reach: 'what is due' }),
  ]
}

/** `members`: see `startRole`. */
export async function startWhole(side: Side, more: Record<string, string>, members?: string) {
  const variables = { ...side.variables, ...more, DATABASE_URL: '' }
  const running = await startRole(side.checkout, 'start', variables, members)
  const server = await runningEmbeddedPostgres(join(side.folder, 'data', 'postgres'))
  if (!server) throw new Error('the service has no Postgres')
  const database_url = server.url('backlot')
  return { ...running, database_url, roots: [running.pid, await serverAt(database_url)] }
}

async function serverAt(database_url: string): Promise<number> {
  const sql = connect(database_url, { max: 1 })
  const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const server = await parentOf(backend?.pid ?? 0)
  await sql.end()
  return server
}

/** The first start, in which the database is made and filled. */
async function prepared(whole: Whole, fill: (sql: ReturnType<typeof connect>) => Promise<unknown>): Promise<void> {
  const { database_url, stop } = await whole()
  const sql = connect(database_url, { max: 1 })
  await fill(sql)
  // Automatic cleaning would do it in the first minutes, once.
  await sql`vacuum analyze`
  await sql.end()
  await stop()
}

/** With the same Postgres as ours, as it comes. */
function wholeMiniflux(folder: string): Whole {
  return async () => {
    const began = performance.now()
    const server = await openEmbeddedPostgres(folder)
    const database_url = server.url('miniflux')
    await createDatabase(database_url)
    const { pid, ...running } = await startMiniflux(database_url)
    const ready_s = (performance.now() - began) / 1000
    const stop = () => running.stop().then(server.stop)
    return { ready_s, database_url, stop, roots: [pid, await serverAt(database_url)] }
  }
}

async function timedStart(whole: Whole): Promise<Figure> {
  const { ready_s, roots, stop } = await whole()
  const [service = 0, server = 0] = roots
  const figure = {
    value: ready_s,
    app_ms: (await cpuOfTrees([service])) * 1000,
    database_ms: (await cpuOfTrees([server])) * 1000,
  }
  await stop()
  return figure
}

type Idle = { memory_mb: number; busy_percent: number; written_kb: number }

/** All in the same minutes, because services at rest hardly disturb each other. */
async function idleTogether(wholes: Record<string, Whole>, seconds: number): Promise<Record<string, Idle>> {
  const found = await Promise.all(
    Object.entries(wholes).map(async ([name, whole]) => {
      const { stop, ...started } = await whole()
      const figures = await idleOf(started, seconds)
      await stop()
      return [name, figures] as const
    }),
  )
  return Object.fromEntries(found)
}

/** After half a minute, in which a service finds its tools and gives memory back. */
async function idleOf(
  { roots, database_url }: Pick<Started, 'roots' | 'database_url'>,
  seconds: number,
): Promise<Idle> {
  await setTimeout(seconds > 1 ? 30_000 : 0)
  const wal_bytes = await writtenAhead(database_url)
  const cpu_s = await cpuOfTrees(roots)
  await setTimeout(seconds * 1000)
  const busy_s = (await cpuOfTrees(roots)) - cpu_s
  const memory_mb = await memoryOfTrees(roots)
  const written_kb = ((((await writtenAhead(database_url)) - wal_bytes) / 1000) * 60) / seconds
  return { memory_mb, busy_percent: (100 * busy_s) / seconds, written_kb }
}

/** Bytes of the log (WAL), which precedes every write of Postgres. On some file systems, /proc counts a megabyte for one row. */
async function writtenAhead(database_url: string): Promise<number> {
  const sql = connect(database_url, { max: 1 })
  const [log] = await sql<{ bytes: number }[]>`select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`
  await sql.end()
  return log?.bytes ?? 0
}
