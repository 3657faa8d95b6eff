/** Starts and stops of everything in one process, in an empty folder. `main-job.test.ts` has `npm start` as a new user runs it. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod, mkdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { expect, it, onTestFinished, vi } from 'vitest'
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
  expect(taken.said).toContain(
    'HOST should be an address of this machine, such as 127.0.0.1 or 0.0.0.0, without a port.',
  )
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

it('settings that are wrong on this machine stop the start before anything runs, and the last line says how', async () => {
  const [other, nowhere] = [createServer().listen(0, '127.0.0.1'), join(folder, 'nowhere')]
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const wrong = [
    [{ PORT: String(port) }, `The port ${port} is in use by another program. Set PORT to a free one.`],
    [{ TRUSTED_PROXIES: 'nginx' }, 'TRUSTED_PROXIES has "nginx": give an address, a CIDR or the word loopback.'],
    [{ ALLOWED_ADDRESSES: 'a b' }, 'ALLOWED_ADDRESSES has "a b": give a host, host:port, address or CIDR.'],
    [
      { HOST: '203.0.113.9' },
      'HOST should be an address of this machine, such as 127.0.0.1 or 0.0.0.0, without a port.',
    ],
    [
      { YTDLP_PATH: nowhere },
      `YTDLP_PATH is ${nowhere}, but there is no program that this user can run. Correct it or remove it.`,
    ],
  ] as const
  const DATA_DIR = join(folder, 'untouched')
  for (const [changes, said] of wrong)
    expect(await run(command, { ...env, DATA_DIR, ...changes })).toEqual({ code: 1, said: `${said}\n` })
  await expect(access(DATA_DIR)).rejects.toThrow('ENOENT')
})

it('a terminal shows plain lines, how other devices come in and who becomes administrator, and no needless warning', async () => {
  const DOWNLOADS_DIR = join(folder, 'as-git-makes-it')
  await mkdir(DOWNLOADS_DIR, { mode: 0o755 })
  await chmod(DOWNLOADS_DIR, 0o755)
  const terminal = ['script', '--quiet', '--flush', '--return', '--command', command.join(' '), '/dev/null']
  const [file = '', ...args] = terminal
  const child = spawn(file, args, {
    env: { ...process.env, ...env, DOWNLOADS_DIR },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk
  })
  await vi.waitFor(() => {
    for (const words of ['No account yet', 'Downloads use yt-dlp']) expect(said).toContain(words)
  })
  child.kill()
  await expect.poll(() => processesWith(folder), { interval: 100 }).toEqual([])
  const [first, ...lines] = said.split(/\r?\n/)
  expect(first).toBe('Backlot starts.')
  expect(lines).toContainEqual(expect.stringMatching(/^Backlot is at http:\/\/localhost:\d+$/))
  expect(lines).toContain('From other devices at home: HOST=0.0.0.0 npm start')
  expect(lines).toContainEqual(
    expect.stringMatching(/^No account yet: open http:\S+\/register\. The first account is the administrator\.$/),
  )
  expect(said).not.toMatch(/[{}]|UMASK|new version/)
})
