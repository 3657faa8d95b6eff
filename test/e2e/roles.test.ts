/** Runs each role as its own process on one database, and stops a worker during a download. */
import { beforeAll, expect, it } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { scrape } from '../support/app/metrics.ts'
import { client, followAndRequest, publishFeed, register, signIn } from '../support/process/journey.ts'
import { run, runRole, start } from '../support/process/processes.ts'
import { hasBytes, isDone, useService } from '../support/process/service.ts'
import { newFolder } from '../support/run/new-folder.ts'

const db = useDatabase({ empty: true })
const outdated = useDatabase({ empty: true })
let migrated: Awaited<ReturnType<typeof runRole>>
beforeAll(async () => {
  migrated = await runRole('migrate', { DATABASE_URL: db.url })
})
const service = useService(db)

it('web and worker do not start on an outdated database, and say what to do', async () => {
  const check = async (role: string) => {
    const { code, said } = await runRole(role, { ...service.env, DATABASE_URL: outdated.url })
    expect(code).toBe(1)
    expect(said).toContain('Run `npm run migrate` first.')
  }
  await Promise.all(['web', 'worker'].map(check))
})

it('after npm run migrate, the web role serves', async () => {
  expect(migrated).toEqual({ code: 0, said: 'The database is up to date.\n' })
  expect((await fetch(`${service.web.url}/readyz`)).status).toBe(200)
})

it('a worker is well for the health check of the image from its first heartbeat until it stops', async () => {
  const TMPDIR = newFolder()
  const worker = await service.worker({ TMPDIR })
  const check = async () => (await run(['node_modules/.bin/node', 'src/healthy.ts', 'worker'], { TMPDIR })).code
  await expect.poll(check).toBe(0)
  await worker.stop()
  expect(await check()).toBe(1)
})

it('a download whose worker is stopped returns to the queue without losing an attempt, and the next worker completes it', async () => {
  const free = service.media.holdAfter(50_000, 'for=patient')
  const { until, status } = await service.wants('patient', '/plain.mp4?for=patient')
  const worker = await service.worker()
  await until(hasBytes)

  expect(await worker.stop('SIGTERM')).toBe(0)
  expect(await status()).toMatchObject({ download_status: 'pending', queued: true, attempts: 0 })

  free()
  const next = await service.worker()
  expect(await until(isDone)).toMatchObject({ download_error: null })
  await next.stop()
})

it('a web process that is killed takes no session, download or figure with it', async () => {
  const { web, media, env } = service
  const doomed = await start('web', { env })
  const ask = client(doomed.url)
  await register(ask, 'survivor')
  const feed = publishFeed(media, { Stays: '/plain.mp4?for=survivor' }, '/survivor.xml')
  const [video_id = ''] = await followAndRequest(ask, feed)
  const cookie = (await signIn(ask, 'survivor')).headers.getSetCookie().join('; ')

  expect(await doomed.stop('SIGKILL')).toBe('SIGKILL')
  await expect(scrape(doomed.url)).rejects.toThrow('fetch failed')

  const other = await fetch(`${web.url}/api/download/status/${video_id}`, { headers: { cookie } })
  expect(await other.json()).toMatchObject({ download_status: 'pending', queued: true })
  expect((await fetch(`${web.url}/readyz`)).status).toBe(200)
  expect(await scrape(web.url)).toMatchObject({ backlot_database_up: 1, backlot_storage_up: 1 })
})

it('the plain graphile-worker command runs the jobs named in graphile.config.ts', async () => {
  const { status } = await service.wants('plain', '/plain.mp4?for=plain')
  const command = ['node_modules/.bin/node', 'node_modules/.bin/graphile-worker', '--once']
  const { code, said } = await run(command, service.env)

  expect(code, said).toBe(0)
  expect(said).not.toMatch(/error/i)
  expect(await status()).toMatchObject({ download_status: 'completed', queued: false })
})

it('npm run jobs lists, shows, retries and cancels jobs', async () => {
  const jobs = (...args: string[]) => run(['node_modules/.bin/node', 'jobs/cli/inspect.ts', ...args], service.env)
  const { video_id, status } = await service.wants('operator', '/plain.mp4?for=operator')

  const listed = JSON.parse((await jobs('list', '--json')).said) as { id: string; task: string; key: string }[]
  const job = listed.find(({ key }) => key.endsWith(`:${video_id}`))
  expect(job).toMatchObject({ task: 'download', state: 'waiting' })
  const id = job?.id ?? ''
  expect((await jobs()).said).toContain(job?.key)
  expect((await jobs('show', id, '--json')).said).toContain('"max_attempts": 3')
  expect((await jobs('retry', id)).said).toContain(`Job ${id} (download) runs now.`)
  expect((await jobs('unlock')).said).toContain('No dead worker holds a job.')
  expect((await jobs('cancel', id)).said).toContain('is cancelled')

  expect(await status()).toMatchObject({ download_status: 'pending', queued: false })
  expect(await jobs('show', id)).toEqual({
    code: 1,
    said: `There is no job ${id}. See them all with \`npm run jobs\`.\n`,
  })
  for (const name of ['dance', 'constructor']) {
    const { code, said } = await jobs(name)
    expect([code, said.split('\n')[0]]).toEqual([1, `There is no command ${name}.`])
  }
  const tools = (word: string) => run(['node_modules/.bin/node', 'jobs/cli/fetch-tools.ts', word], service.env)
  expect(await tools('help')).toEqual({ code: 0, said: expect.stringMatching(/^Usage: npm run tools\n/) })
  expect(await tools('dance')).toEqual({ code: 1, said: expect.stringMatching(/^There is no command dance\.\n/) })
})
