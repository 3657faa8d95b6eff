/** Stops and starts Postgres under a running service: nothing needs a restart, and nothing is lost. */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { kill } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { connect, createDatabase } from '../../src/db/postgres/client.ts'
import { metrics_token } from '../support/app/metrics.ts'
import { json } from '../support/process/journey.ts'
import { operatorOf, useOperator } from '../support/process/operator.ts'
import { type Cluster, openCluster } from '../support/process/postgres.ts'
import { type Running, runRole, start } from '../support/process/processes.ts'
import { processesWith } from '../support/process/running.ts'
import { hasBytes, isDone, living, stopwatch, useService } from '../support/process/service.ts'
import { environmentIn } from '../support/process/tools.ts'
import { newFolder } from '../support/run/new-folder.ts'

const folder = newFolder()
let cluster: Cluster
beforeAll(async () => {
  cluster = await openCluster(folder)
})
afterAll(() => cluster?.stop())
const service = useService({
  get url() {
    return cluster.url
  },
})
const told = useOperator(service)
let worker: Running
beforeAll(async () => {
  worker = await service.worker()
})

/** After 15 s without the database a run stops, because another worker may take its download. */
const runsStop = () =>
  vi.waitFor(async () => expect(await living(join(service.env.DOWNLOADS_DIR ?? '', '.work'))).toEqual([]), {
    timeout: 60_000,
    interval: 200,
  })

it.each([
  ['two seconds', 'short', () => setTimeout(2000)],
  ['so long that its runs stop', 'long', runsStop],
])('the service survives %s without its database', async (_, how, pass) => {
  const free = service.media.holdAfter(50_000, `for=${how}`)
  const { ask, until } = await service.wants(how, `/plain.mp4?for=${how}`)
  await until(hasBytes)

  await cluster.stop()
  const [page, status] = await Promise.all(['/downloads', '/api/channels'].map(path => ask(path)))
  expect([page?.status, status?.status]).toEqual([503, 503])
  expect(await told()).toMatchObject({
    ready: 503,
    status: 503,
    metrics: { backlot_database_up: 0, backlot_storage_up: 1 },
  })
  expect(await page?.text()).toContain('<h1')
  expect(status?.headers.get('content-type')).toBe('application/problem+json')
  await pass()
  await cluster.start()
  free()

  const back = stopwatch(`database away, ${how}: the web is back after`)
  const done = stopwatch(`database away, ${how}: the download is completed after`)
  await vi.waitFor(async () => expect((await ask('/downloads')).status).toBe(200), { interval: 200 })
  back()
  const finished = await until(isDone)
  done()
  expect(finished).toMatchObject({ download_error: null, attempts: 1 })

  const next = await service.wants(`after-${how}`, `/plain.mp4?for=after-${how}`)
  await next.until(isDone)
  expect(() => process.kill(worker.pid, 0)).not.toThrow()
})

it('a database that hangs is given up, and the service goes on when it answers again', async () => {
  const { ask, until } = await service.wants('frozen', '/plain.mp4?drip=20000&for=frozen')
  await until(hasBytes)

  const thaw = await cluster.freeze()
  const answered = stopwatch('database hangs: a page answers 503 after')
  // Both are asked before the connections are given up, and metrics without waiting for that.
  const [page, said] = await Promise.all([ask('/downloads'), told()])
  answered()
  expect(page.status).toBe(503)
  expect(said).toMatchObject({ ready: 503, status: 503, metrics: { backlot_database_up: 0 } })
  thaw()

  await vi.waitFor(async () => expect((await told()).ready).toBe(200), { interval: 200, timeout: 30_000 })
  expect(await until(isDone)).toMatchObject({ download_error: null, attempts: 1 })
  await vi.waitFor(
    async () => expect((await told()).metrics).toMatchObject({ backlot_database_up: 1, backlot_workers: 1 }),
    {
      interval: 500,
      timeout: 30_000,
    },
  )
})

/**
 * Ends all connections to the databases of the cluster, at once and again and again, until `work` is done or so many rounds are over. The
 * rounds become longer, so that a slow machine gets through.
 */
async function whileConnectionsEnd(work: Promise<unknown>, rounds = Number.POSITIVE_INFINITY): Promise<void> {
  const sql = connect(cluster.url.replace(/[^/]*$/, 'postgres'), { max: 1, name: 'ends connections' })
  let is_done = false
  const settled = work.finally(() => {
    is_done = true
  })
  for (let n = 0; n < rounds && !is_done; n++) {
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where  usename = current_user and application_name <> 'ends connections'`
    await Promise.race([settled.catch(() => {}), setTimeout(100 + 20 * n)])
  }
  await sql.end()
  if (rounds === Number.POSITIVE_INFINITY) await settled
}

it('connections that are ended again and again end no process, and no download', async () => {
  const { ask, until } = await service.wants('terminated', '/plain.mp4?drip=20000&for=terminated')
  await until(hasBytes)
  let is_over = false
  const statuses = new Set<number>()
  const read = async (path: string) => {
    for (; !is_over; await setTimeout(200)) {
      const answer = await ask(path)
      statuses.add(answer.status)
      await answer.arrayBuffer()
    }
  }
  const reading = ['/', '/channels', '/api/channels', '/downloads', '/', '/channels'].map(read)
  await whileConnectionsEnd(Promise.all(reading), 20)
  is_over = true
  await Promise.all(reading)

  expect([200, 503]).toEqual(expect.arrayContaining([...statuses]))
  await vi.waitFor(async () => expect((await ask('/downloads')).status).toBe(200), { interval: 200 })
  expect(await until(isDone)).toMatchObject({ download_error: null, attempts: 1 })
  for (const { pid } of [service.web, worker]) expect(() => process.kill(pid, 0)).not.toThrow()
  expect(await told()).toMatchObject({ ready: 200, status: 200, metrics: { backlot_database_up: 1 } })
})

it('a start whose connections are ended again and again becomes ready', async () => {
  const url = cluster.url.replace(/[^/]*$/, 'terminated')
  await createDatabase(url)
  const env = { ...service.env, DATABASE_URL: url }
  const migrating = runRole('migrate', env)
  await whileConnectionsEnd(migrating)
  expect(await migrating).toMatchObject({ code: 0 })
  for (const role of ['web', 'worker']) {
    const starting = start(role, { env })
    await whileConnectionsEnd(starting)
    expect(await (await starting).stop()).toBe(0)
  }
})

it('a read-only database is read, and is not ready', async () => {
  const ask = await service.person('reader')
  const server = connect(cluster.url.replace(/[^/]*$/, 'postgres'), { max: 1 })
  const name = new URL(cluster.url).pathname.slice(1)
  /** Of all further connections. Returns what ends the others: one that is just beginning is seen only later. */
  const change = async (read_only: 'on' | 'off') => {
    await server.unsafe(`alter database ${name} set default_transaction_read_only = ${read_only}`)
    const [changed] = await server<{ at: string }[]>`select clock_timestamp()::text as at`
    // Waits for the end of each connection: on a busy machine an old one would save for a moment.
    return () => server`
      select pg_terminate_backend(pid, 10_000)
      from   pg_stat_activity
      where  datname = ${name} and backend_start <= ${changed?.at ?? ''}::timestamptz`
  }
  const endWritable = await change('on')
  await vi.waitFor(async () => {
    await endWritable()
    const { ready, warnings, metrics } = await told()
    expect(ready).toBe(503)
    expect(warnings.join()).toContain('The database is read-only')
    expect(metrics).toMatchObject({ backlot_database_up: 1, backlot_database_writable: 0 })
  })
  expect(await (await ask('/readyz')).json()).toMatchObject({ status: 'the database is read-only' })
  const save = () => ask('/api/playlists', json({ name: 'Later' }))
  const [page, saved] = [await ask('/channels'), await save()]
  expect([page.status, saved.status]).toEqual([200, 503])
  expect(((await saved.json()) as { detail: string }).detail).toMatch(/^The database is read-only/)

  const endReadOnly = await change('off')
  await vi.waitFor(async () => {
    await endReadOnly()
    expect((await told()).ready).toBe(200)
  })
  await server.end()
  expect((await save()).status).toBe(201)
})

it('an embedded Postgres that is killed is started again, and the service goes on', async () => {
  const home = join(folder, 'home')
  await mkdir(home)
  const env = { ...(await environmentIn(home)), DATABASE_URL: '', METRICS_TOKEN: metrics_token }
  const all = await start('all', { env })
  const told = await operatorOf(all.url)
  const well = { ready: 200, status: 200, workers: 1, metrics: { backlot_database_up: 1, backlot_workers: 1 } }
  const isWell = () =>
    vi.waitFor(async () => expect(await told()).toMatchObject(well), { timeout: 60_000, interval: 300 })
  await isWell()

  const [postmaster] = await processesWith('postgres', '-D', home)
  kill(postmaster?.pid ?? 0, 'SIGKILL')
  const back = stopwatch('embedded Postgres killed: the service is well after')
  await vi.waitFor(() => expect(all.said()).toContain('The embedded Postgres died. It is started again.'), {
    timeout: 30_000,
  })
  await isWell()
  back()

  // Another service on the same folder uses the same server, and keeps it when the first one stops.
  const second = await start('all', { env: { ...env, PORT: '0' } })
  expect(await all.stop()).toBe(0)
  expect((await fetch(`${second.url}/readyz`)).status).toBe(200)
  const [left] = await processesWith('postgres', '-D', home)
  kill(left?.pid ?? 0, 'SIGKILL')
  await vi.waitFor(() => expect(second.said()).toContain('The embedded Postgres died. It is started again.'), {
    timeout: 30_000,
  })
  await vi.waitFor(async () => expect((await fetch(`${second.url}/readyz`)).status).toBe(200), { timeout: 60_000 })
  // As when the window of its terminal is closed.
  expect(await second.stop('SIGHUP')).toBe(0)
  expect(await processesWith('postgres', '-D', home)).toEqual([])
})
