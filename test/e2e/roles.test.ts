/** Runs each role as its own process on one database, and stops a worker during a download. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { metrics_token, scrape } from '../support/app/metrics.ts'
import { type MediaServer, openMediaServer } from '../support/media/media.ts'
import { client, followAndRequest, journey, publishFeed, register, settled } from '../support/process/journey.ts'
import { type Running, run, runRole, start } from '../support/process/processes.ts'
import { environmentIn } from '../support/process/tools.ts'

const db = useDatabase({ empty: true })
const outdated = useDatabase({ empty: true })
let folder: string
let media: MediaServer
let env: Record<string, string>
let migrated: Awaited<ReturnType<typeof runRole>>
let web: Running

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backlot-roles-'))
  media = await openMediaServer()
  env = {
    DATABASE_URL: db.url,
    METRICS_TOKEN: metrics_token,
    ...(await environmentIn(folder)),
  }
  migrated = await runRole('migrate', env)
  web = await start('web', { env })
})
afterAll(async () => {
  await web?.stop()
  await media.close()
  await rm(folder, { recursive: true, force: true })
})

it('web and worker do not start on an outdated database, and say what to do', async () => {
  const check = async (role: string) => {
    const { code, said } = await runRole(role, { ...env, DATABASE_URL: outdated.url })
    expect(code).toBe(1)
    expect(said).toContain('Run `npm run migrate` first.')
  }
  await Promise.all(['web', 'worker'].map(check))
})

it('after npm run migrate, the web role serves', async () => {
  expect(migrated).toEqual({ code: 0, said: 'The database is up to date.\n' })
  expect((await fetch(`${web.url}/readyz`)).status).toBe(200)
})

it('web and worker as two processes do everything from account to file', async () => {
  const worker = await start('worker', { env })
  await journey(web.url, media, 'walker')
  expect(await worker.stop()).toBe(0)
})

it('a worker is well for the health check of the image from its first heartbeat until it stops', async () => {
  const TMPDIR = await mkdtemp(join(folder, 'tmp-'))
  const worker = await start('worker', { env: { ...env, TMPDIR } })
  const check = async () => (await run(['node_modules/.bin/node', 'src/healthy.ts', 'worker'], { TMPDIR })).code
  await expect.poll(check).toBe(0)
  await worker.stop()
  expect(await check()).toBe(1)
})

it('a download whose worker is stopped returns to the queue without losing an attempt, and the next worker completes it', async () => {
  const free = media.holdAfter(50_000, 'for=patient')
  const ask = client(web.url)
  await register(ask, 'patient')
  const feed = publishFeed(media, { Slow: '/plain.mp4?for=patient' }, '/patient.xml')
  const [video_id = ''] = await followAndRequest(ask, feed)
  const status = async () => (await ask(`/api/download/status/${video_id}`)).json()
  const worker = await start('worker', { env })
  await expect
    .poll(status, { timeout: 60_000, interval: 300 })
    .toMatchObject({ progress: { downloaded_bytes: expect.any(Number) } })

  expect(await worker.stop('SIGTERM')).toBe(0)
  expect(await status()).toMatchObject({ download_status: 'pending', queued: true, attempts: 0 })

  free()
  const next = await start('worker', { env })
  expect(await settled(ask, video_id)).toMatchObject({ download_status: 'completed', download_error: null })
  await next.stop()
})

it('a web process that is killed takes no session, download or figure with it', async () => {
  const doomed = await start('web', { env })
  const credentials = new URLSearchParams({ username: 'survivor', password: 'correct horse battery' })
  const ask = client(doomed.url)
  await register(ask, 'survivor')
  const feed = publishFeed(media, { Stays: '/plain.mp4?for=survivor' }, '/survivor.xml')
  const [video_id = ''] = await followAndRequest(ask, feed)
  const cookie = (await ask('/login', { method: 'POST', body: credentials })).headers.getSetCookie().join('; ')

  expect(await doomed.stop('SIGKILL')).toBe('SIGKILL')
  await expect(scrape(doomed.url)).rejects.toThrow('fetch failed')

  const other = await fetch(`${web.url}/api/download/status/${video_id}`, { headers: { cookie } })
  expect(await other.json()).toMatchObject({ download_status: 'pending', queued: true })
  expect((await fetch(`${web.url}/readyz`)).status).toBe(200)
  expect(await scrape(web.url)).toMatchObject({ backlot_database_up: 1, backlot_storage_up: 1 })
})

describe('the plain graphile-worker command', () => {
  it('the plain graphile-worker command runs the jobs named in graphile.config.ts', async () => {
    const ask = client(web.url)
    await register(ask, 'plain')
    const feed = publishFeed(media, { Plain: '/plain.mp4?for=plain' }, '/plain.xml')
    const [video_id = ''] = await followAndRequest(ask, feed)

    const { code, said } = await run(['node_modules/.bin/node', 'node_modules/.bin/graphile-worker', '--once'], env)

    expect([code, said.match(/error/i)]).toEqual([0, null])
    expect(await settled(ask, video_id, 1000)).toMatchObject({ download_status: 'completed' })
  })
})

describe('npm run jobs', () => {
  const jobs = (...args: string[]) => run(['node_modules/.bin/node', 'jobs/cli/inspect.ts', ...args], env)
  type Listed = { id: string; task: string; key: string; state: string }[]

  it('npm run jobs lists, shows, retries and cancels jobs', async () => {
    const ask = client(web.url)
    await register(ask, 'operator')
    const feed = publishFeed(media, { Waits: '/plain.mp4?for=operator' }, '/operator.xml')
    const [video_id = ''] = await followAndRequest(ask, feed)

    const listed = JSON.parse((await jobs('list', '--json')).said) as Listed
    const job = listed.find(({ key }) => key.endsWith(`:${video_id}`))
    expect(job).toMatchObject({ task: 'download', state: 'waiting' })
    const id = job?.id ?? ''
    expect((await jobs()).said).toContain(job?.key)
    expect((await jobs('show', id, '--json')).said).toContain('"max_attempts": 3')
    expect((await jobs('retry', id)).said).toContain(`Job ${id} (download) runs now.`)
    expect((await jobs('unlock')).said).toContain('No dead worker holds a job.')
    expect((await jobs('cancel', id)).said).toContain('is cancelled')

    expect(await settled(ask, video_id, 1000)).toMatchObject({ download_status: 'pending', queued: false })
    expect(await jobs('show', id)).toEqual({
      code: 1,
      said: `There is no job ${id}. See them all with \`npm run jobs\`.\n`,
    })
    expect((await jobs('dance')).code).toBe(1)
  })
})
