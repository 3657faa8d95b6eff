/** The same app and the same worker on Deno. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useDatabase } from '../support/database.ts'
import { journey } from '../support/journey.ts'
import { type MediaServer, openMediaServer } from '../support/media.ts'
import { run, start } from '../support/processes.ts'
import { toolEnvironment } from '../support/tools.ts'

const db = useDatabase()
let folder: string
let media: MediaServer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backlot-deno-'))
  media = await openMediaServer()
})
afterAll(async () => {
  await media.close()
  await rm(folder, { recursive: true, force: true })
})

const environment = async () => ({
  DATA_DIR: join(folder, 'data'),
  DOWNLOADS_DIR: join(folder, 'downloads'),
  ALLOWED_ADDRESSES: '127.0.0.1',
  PORT: '0',
  ...(await toolEnvironment(folder)),
})

it('goes the whole way on Deno, web and worker as two processes, and stops clean', async () => {
  const env = { DATABASE_URL: db.url, ...(await environment()) }
  const [web, worker] = await Promise.all([start('web', { on: 'deno', env }), start('worker', { on: 'deno', env })])
  await journey(web.url, media, 'onDeno')
  expect(await Promise.all([web.stop(), worker.stop()])).toEqual([0, 0])
})

it('goes the whole way on Deno in one process with a Postgres of its own', async () => {
  const all = await start('all', { on: 'deno', env: await environment() })
  await journey(all.url, media, 'alone')
  expect(await all.stop('SIGINT')).toBe(0)
  expect((await run(['ps', '-eo', 'args'])).said).not.toContain(folder)
})
