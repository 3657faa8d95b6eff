/** Stops and starts Postgres under a running service: nothing needs a restart, and nothing is lost. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Cluster, openCluster } from '../support/process/postgres.ts'
import type { Running } from '../support/process/processes.ts'
import { hasBytes, isDone, openService, type Service, stopwatch } from '../support/process/service.ts'

let folder: string
let cluster: Cluster
let service: Service
let worker: Running

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backlot-away-'))
  cluster = await openCluster(folder)
  service = await openService(cluster.url)
  worker = await service.worker()
})
afterAll(async () => {
  await service?.close()
  await cluster?.stop()
  await rm(folder, { recursive: true, force: true })
})

// After 15 s without the database a run stops, because another worker may take its download.
it.each([
  ['two seconds', 2],
  ['twenty-two seconds', 22],
])('the service survives %s without its database', { timeout: 120_000 }, async (_, away_s) => {
  const free = service.media.holdAfter(50_000, `for=away${away_s}`)
  const { ask, until } = await service.wants(`away${away_s}`, `/plain.mp4?for=away${away_s}`)
  await until(hasBytes)

  await cluster.stop()
  const [ready, page, status] = await Promise.all(['/readyz', '/downloads', '/api/channels'].map(path => ask(path)))
  expect([ready?.status, page?.status, status?.status]).toEqual([503, 503, 503])
  expect(await page?.text()).toContain('<h1')
  expect(status?.headers.get('content-type')).toBe('application/problem+json')
  await setTimeout(away_s * 1000)
  await cluster.start()
  free()

  const back = stopwatch(`database away for ${away_s} s: the web is back after`)
  const done = stopwatch(`database away for ${away_s} s: the download is completed after`)
  await vi.waitFor(async () => expect((await ask('/downloads')).status).toBe(200), { interval: 200 })
  back()
  const finished = await until(isDone)
  done()
  expect(finished).toMatchObject({ download_error: null, attempts: 1 })

  const next = await service.wants(`after${away_s}`, `/plain.mp4?for=after${away_s}`)
  await next.until(isDone)
  expect(() => process.kill(worker.pid, 0)).not.toThrow()
})
