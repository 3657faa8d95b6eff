/** One command, as a new user gives it: everything in one process, on an empty folder. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { client, journey } from '../support/journey.ts'
import { type MediaServer, openMediaServer } from '../support/media.ts'
import { run, start } from '../support/processes.ts'
import { toolEnvironment } from '../support/tools.ts'

let folder: string
let media: MediaServer
let env: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backlot-start-'))
  media = await openMediaServer()
  env = {
    DATABASE_URL: '',
    DATA_DIR: join(folder, 'data'),
    DOWNLOADS_DIR: join(folder, 'downloads'),
    ALLOWED_ADDRESSES: '127.0.0.1',
    PORT: '0',
    ...(await toolEnvironment(folder)),
  }
})
afterAll(async () => {
  await media.close()
  await rm(folder, { recursive: true, force: true })
})

/** Whatever still runs out of our folder. */
const leftovers = async () => (await run(['ps', '-eo', 'args'])).said.split('\n').filter(line => line.includes(folder))

it('starts, goes the whole way, stops clean, and is there again with everything it had', async () => {
  const first = await start('all', { env })
  expect(first.line).toMatch(/^Backlot is at http:\/\/localhost:\d+$/)
  await journey(first.url, media, 'newcomer')
  expect(await first.stop('SIGINT')).toBe(0)
  expect(await leftovers()).toEqual([])

  const second = await start('all', { env })
  const ask = client(second.url)
  const credentials = new URLSearchParams({ username: 'newcomer', password: 'correct horse battery' })
  await ask('/login', { method: 'POST', body: credentials })
  const { channels } = (await (await ask('/api/channels')).json()) as { channels: object[] }
  expect(channels).toHaveLength(1)

  const { said } = await run(['node_modules/.bin/node', 'jobs/inspect.ts'], env)
  expect(said).toMatch(/The queue is empty\.|housekeeping/)
  expect(await second.stop()).toBe(0)
  expect(await leftovers()).toEqual([])
})

it('says in a sentence why it does not start', async () => {
  const wrong = await run(['node_modules/.bin/node', '--import', 'tsx', 'src/main.ts'], { ...env, PORT: 'http' })
  expect(wrong).toEqual({ code: 1, said: 'Wrong configuration: PORT should be a port number.\n' })
  const unknown = await run(['node_modules/.bin/node', '--import', 'tsx', 'src/main.ts', 'dance'], env)
  expect(unknown.said).toMatch(/^There is no role dance\. Choose one of all, web, worker, migrate, migrate:down\.\n$/)
})
