/** Starts and stops of everything in one process, in an empty folder. `main-job.test.ts` has `npm start` as a new user runs it. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { expect, it, vi } from 'vitest'
import { run, start } from '../support/process/processes.ts'
import { processesWith } from '../support/process/running.ts'
import { environmentIn } from '../support/process/tools.ts'
import { newFolder } from '../support/run/new-folder.ts'

const folder = newFolder()
const env = { DATABASE_URL: '', ...(await environmentIn(folder)) }

it('the service stops when only npm gets the signal', async () => {
  const npm = spawn('npm', ['start'], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  await vi.waitUntil(async () => {
    const [chunk] = (await once(npm.stdout, 'data')) as [Buffer]
    return chunk.includes('Backlot is at')
  }, 60_000)
  npm.kill('SIGTERM')
  await expect.poll(() => processesWith(folder), { interval: 100 }).toEqual([])
})

const command = ['node_modules/.bin/node', 'src/main.ts']

it('a service that cannot start says why in one sentence', async () => {
  const wrong = await run(command, { ...env, PORT: 'http' })
  expect(wrong).toEqual({ code: 1, said: 'Wrong configuration: PORT should be a port number.\n' })
  const [nowhere, taken] = await Promise.all([
    run([...command, 'all'], { ...env, DATA_DIR: '/proc/nowhere' }),
    run([...command, 'all'], { ...env, HOST: 'not a host' }),
  ])
  expect(nowhere).toEqual({
    code: 1,
    said: 'DATA_DIR should be a writable folder, but /proc/nowhere is not one.\n',
  })
  expect(taken.said).toContain('HOST should be an address of this machine.')
  const YTDLP_CONFIG = join(folder, 'yt-dlp.conf')
  await writeFile(YTDLP_CONFIG, '-r 1M --exec id')
  for (const role of ['all', 'web', 'worker'])
    expect(await run([...command, role], { ...env, YTDLP_CONFIG })).toEqual({
      code: 1,
      said: 'YTDLP_CONFIG has --exec, which is not passed on. Remove it, and see docs/yt-dlp.md.\n',
    })
  const unknown = await run([...command, 'dance'], env)
  expect(unknown.said).toMatch(/^There is no role dance\. Choose one of all, web, worker, migrate, migrate:down\.\n$/)
})

it('a fault of the driver of the database that nothing catches is logged, and any other stops the service in order', async () => {
  const entry = 'test/support/process/role-with-faults.ts'
  const { code, said } = await run(['node_modules/.bin/node', entry, 'all'], env)
  expect(said).toMatch(/a connection to the database failed outside of a statement[\s\S]*Error: a fault of our own/)
  expect(code).toBe(1)
  // The embedded Postgres has stopped, too.
  expect(await processesWith(folder)).toEqual([])
})

it('a command without a variable finds the service by the file of settings that both read', async () => {
  const [ENV_FILE, list] = [join(folder, 'settings'), ['node_modules/.bin/node', 'jobs/cli/people.ts', 'list']]
  await writeFile(
    ENV_FILE,
    Object.entries(env)
      .map(([name, value]) => `${name}="${value}"\n`)
      .join(''),
  )
  const service = await start('all', { env: { ENV_FILE } })
  expect(await run(list, { ENV_FILE })).toEqual({ code: 0, said: 'There are no accounts yet.\n' })
  const DATA_DIR = join(folder, 'elsewhere')
  expect(await run(list, { DATA_DIR })).toEqual({
    code: 1,
    said: `No service runs with the data in ${DATA_DIR}. Start the service first, or write the DATA_DIR or DATABASE_URL that it has into the file .env here.\n`,
  })
  await service.stop()
})
