/** Web and worker processes that share no disk, only a bucket and a database: from account to film, with a worker killed meanwhile. */
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { loadedOnce } from '../../src/runtime/cache.ts'
import { openStorage } from '../../src/store/storage.ts'
import { type Bucket, type Step, startBucket } from '../support/app/bucket.ts'
import { useDatabase } from '../support/app/database.ts'
import { useBrowser } from '../support/browser/browser.ts'
import { journey } from '../support/process/journey.ts'
import { operatorOf } from '../support/process/operator.ts'
import { start } from '../support/process/processes.ts'
import { hasBytes, isDone, letSilencePass, openService, type Service } from '../support/process/service.ts'

const db = useDatabase()
let bucket: Bucket
let service: Service
let told: Awaited<ReturnType<typeof operatorOf>>
const browser = useBrowser()
beforeAll(async () => {
  bucket = await startBucket()
  service = await openService(db.url, bucket.variables)
  told = await operatorOf(service.web.url)
})
afterEach(() => {
  bucket.before = undefined
})
afterAll(async () => {
  await service?.close()
  await bucket?.stop()
})

/** A worker on a machine of its own. */
const workerAt = (name: string) => service.worker({ DATA_DIR: join(service.folder, name) })
/** For all films that are watched. */
const workerForFilms = loadedOnce(() => workerAt('films'))

it('a download whose worker is killed during the upload is completed by a worker on another machine', {
  timeout: 180_000,
}, async () => {
  const sending = Promise.withResolvers<void>()
  bucket.before = (c, next) => {
    if (!c.query.partNumber) return next()
    sending.resolve()
    return new Promise(() => {})
  }
  const first = await workerAt('first')
  const wanted = await service.wants('walker', '/plain.mp4')
  await sending.promise
  expect(await first.stop('SIGKILL')).toBe('SIGKILL')
  expect([(await wanted.status()).download_status, await bucket.keys()]).toEqual(['downloading', []])
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
  await second.stop()
})

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
  {
    timeout: 240_000,
  },
  async (what, fail) => {
    const worker = await workerAt('away')
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
    await worker.stop()
  },
)

it('web and worker without a common disk do everything from account to file', { timeout: 180_000 }, async () => {
  const worker = await workerAt('journey')
  await journey(service.web.url, service.media, 'traveller')
  expect(await worker.stop()).toBe(0)
})

it('on Deno, web and worker with a bucket do everything from account to file', { timeout: 180_000 }, async () => {
  const env = (name: string) => ({ ...service.env, DATA_DIR: join(service.folder, name) })
  const [web, worker] = await Promise.all([
    start('web', { on: 'deno', env: env('deno-web') }),
    start('worker', { on: 'deno', env: env('deno-worker') }),
  ])
  await journey(web.url, service.media, 'onDeno')
  expect(await Promise.all([web.stop(), worker.stop()])).toEqual([0, 0])
})

it.each(['off', 'signed-url'])(
  'a film of the bucket plays in Chromium after a seek, with STREAM_OFFLOAD=%s',
  {
    timeout: 180_000,
  },
  async STREAM_OFFLOAD => {
    await workerForFilms()
    const wanted = await service.wants(`viewer-${STREAM_OFFLOAD}`, '/plain.mp4')
    await wanted.until(isDone, 120_000)
    const web = await start('web', { env: { ...service.env, STREAM_OFFLOAD } })
    const page = await browser.newPage({ baseURL: web.url })
    await page.goto('/login')
    await page.fill('[name=username]', `viewer-${STREAM_OFFLOAD}`)
    await page.fill('[name=password]', 'correct horse battery')
    await page.locator('[name=password]').press('Enter')
    await page.waitForURL(url => url.pathname !== '/login')
    const before = bucket.requests.length
    await page.goto(`/watch/${wanted.video_id}`)
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
    await web.stop()
  },
)
