/** Stops and starts Postgres under a running service: nothing needs a restart, and nothing is lost. */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { kill } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { metrics_token } from '../support/app/metrics.ts'
import { operatorOf, useOperator } from '../support/process/operator.ts'
import { type Cluster, openCluster } from '../support/process/postgres.ts'
import { type Running, start } from '../support/process/processes.ts'
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
])('the service survives %s without its database', { timeout: 120_000 }, async (_, how, pass) => {
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

it('a database that hangs is given up, and the service goes on when it answers again', {
  timeout: 180_000,
}, async () => {
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

it('an embedded Postgres that is killed is started again, and the service goes on', { timeout: 180_000 }, async () => {
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
  expect(await all.stop()).toBe(0)
})
