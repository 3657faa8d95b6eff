/** Web and worker processes that share no disk, only a bucket and a database: from account to film, with a worker killed meanwhile. */
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openStorage } from '../../src/store/storage.ts'
import { type Bucket, type Step, startBucket } from '../support/app/bucket.ts'
import { useDatabase } from '../support/app/database.ts'
import { openSignedIn, useBrowser } from '../support/browser/browser.ts'
import { journey } from '../support/process/journey.ts'
import { useOperator } from '../support/process/operator.ts'
import { type Running, start } from '../support/process/processes.ts'
import { hasBytes, isDone, letSilencePass, useService } from '../support/process/service.ts'

const db = useDatabase()
let bucket: Bucket
beforeAll(async () => {
  bucket = await startBucket()
})
afterEach(() => {
  bucket.before = undefined
})
afterAll(() => bucket?.stop())
const service = useService(db, { env: () => bucket.variables })
const told = useOperator(service)
const browser = useBrowser()

/** A worker on a machine of its own. */
const workerAt = (name: string) => service.worker({ DATA_DIR: join(service.folder, name) })

it('a download whose worker is killed during the upload is completed by a worker on another machine', async () => {
  const sending = Promise.withResolvers<void>()
  bucket.before = (c, next) => {
    if (!c.query.partNumber) return next()
    sending.resolve()
    return new Promise(() => {})
  }
  const before = await bucket.keys()
  const first = await workerAt('first')
  const wanted = await service.wants('walker', '/plain.mp4')
  await sending.promise
  expect(await first.stop('SIGKILL')).toBe('SIGKILL')
  expect([(await wanted.status()).download_status, await bucket.keys()]).toEqual(['downloading', before])
  await letSilencePass(db.sql)

  bucket.before = undefined
  const second = await workerAt('second')
  const done = await wanted.until(isDone, 120_000)
  expect(done.download_error).toBeNull()
  expect(await bucket.keys()).toContain(done.download_path)

  // The parts that the dead worker sent.
  expect(await bucket.uploads()).toHaveLength(1)
  const files = openStorage({ DATA_DIR: join(service.folder, 'third'), ...bucket.variables })
  await files.forgetAbandoned(new Set(), new Date(Date.now() + 25 * 3_600_000))
  expect(await bucket.uploads()).toEqual([])
  expect(await second.stop()).toBe(0)
})

it('on Deno, web and worker with a bucket do everything from account to file', async () => {
  const env = (name: string) => ({ ...service.env, DATA_DIR: join(service.folder, name) })
  const [web, worker] = await Promise.all([
    start('web', { on: 'deno', env: env('deno-web') }),
    start('worker', { on: 'deno', env: env('deno-worker') }),
  ])
  await journey(web.url, service.media, 'onDeno')
  expect(await Promise.all([web.stop(), worker.stop()])).toEqual([0, 0])
})

describe('with one worker', () => {
  let usual: Running
  beforeAll(async () => {
    usual = await workerAt('usual')
  })
  afterAll(async () => expect(await usual.stop()).toBe(0))

  it.each<[string, Step]>([
    ['does not answer', () => new Promise(() => {})],
    [
      'answers 503',
      async c => {
        c.status = 503
      },
    ],
    ['closes each connection', async () => bucket.breakConnections()],
  ])(
    'while the bucket %s, health and metrics say so, and a download is completed when it is back',
    async (what, fail) => {
      bucket.before = fail
      await vi.waitFor(
        async () => {
          const said = await told()
          expect(said).toMatchObject({ ready: 200, status: 200, metrics: { backlot_storage_up: 0 } })
          expect(said.warnings).toContainEqual(expect.stringContaining('does not answer'))
        },
        { timeout: 90_000, interval: 500 },
      )
      const wanted = await service.wants(
        `away ${what}`.replaceAll(' ', '-'),
        `/plain.mp4?for=${what.replaceAll(' ', '-')}`,
      )
      await wanted.until(hasBytes)
      bucket.before = undefined

      expect(await wanted.until(isDone, 150_000)).toMatchObject({ download_error: null })
      await vi.waitFor(
        async () => {
          const said = await told()
          expect(said.metrics).toMatchObject({ backlot_storage_up: 1 })
          expect(said.warnings).not.toContainEqual(expect.stringContaining('does not answer'))
        },
        { timeout: 90_000, interval: 500 },
      )
    },
  )

  it('web and worker without a common disk do everything from account to file', async () => {
    const before = bucket.requests.length
    await journey(service.web.url, service.media, 'traveller')
    const methods = bucket.requests.slice(before).map(request => request.split(' ')[0])
    expect(methods).toEqual(expect.arrayContaining(['PUT', 'GET']))
  })

  it.each(['off', 'signed-url'])(
    'a film of the bucket plays in Chromium after a seek, with STREAM_OFFLOAD=%s',
    async STREAM_OFFLOAD => {
      const wanted = await service.wants(`viewer-${STREAM_OFFLOAD}`, '/plain.mp4')
      await wanted.until(isDone, 120_000)
      const web =
        STREAM_OFFLOAD === 'off' ? service.web : await start('web', { env: { ...service.env, STREAM_OFFLOAD } })
      const page = await browser.newPage({ baseURL: web.url })
      const before = bucket.requests.length
      await openSignedIn(page, `viewer-${STREAM_OFFLOAD}`, `/watch/${wanted.video_id}`)
      const seen = await page.locator('video.player').evaluate(async element => {
        const film = element as HTMLVideoElement
        film.muted = true
        await film.play()
        const sought = new Promise(resolve => film.addEventListener('seeked', resolve, { once: true }))
        film.currentTime = 2
        await sought
        await new Promise(resolve => film.addEventListener('timeupdate', resolve, { once: true }))
        return { position: film.currentTime, error: film.error?.message ?? null }
      })

      expect(seen).toEqual({ position: expect.any(Number), error: null })
      expect(seen.position).toBeGreaterThanOrEqual(2)
      const fetched = bucket.requests.slice(before).filter(request => request.startsWith('GET '))
      expect(fetched).not.toEqual([])
    },
  )
})
