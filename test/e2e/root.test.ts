/** Starts a checkout in a folder that only root may enter, such as /root, and one as an ordinary user. */
import { chmod, chown, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { platform, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { client, register, signIn } from '../support/process/journey.ts'
import { start } from '../support/process/processes.ts'
import { processesWith, readOfProcesses } from '../support/process/running.ts'
import { environmentIn } from '../support/process/tools.ts'
import { newFolder } from '../support/run/new-folder.ts'

const is_root = platform() === 'linux' && userInfo().uid === 0
let top: string
/** The packages between two tests. */
const packages = is_root ? newFolder() : ''

beforeAll(async () => {
  if (!is_root) return
  await chmod(packages, 0o755)
  // The caches of the test runner change all the time. Compiled code is made again.
  const names = (await readdir('node_modules')).filter(name => !/^\.(vite|backlot)/.test(name))
  await execa('cp', ['-al', ...names.map(name => resolve('node_modules', name)), packages])
})
afterEach(async () => {
  const note = await readFile(join(top, 'app', '.data', 'postgres.json'), 'utf8').catch(() => '{}')
  const { home } = JSON.parse(note) as { home?: string | null }
  if (home) await rm(home, { recursive: true, force: true })
  await rename(join(top, 'app', 'node_modules'), packages)
  await rm(join(packages, '.backlot'), { recursive: true, force: true })
})

/**
 * A checkout with its packages in a new folder, made of hard links because a copy takes long. The packages are moved, which takes no time.
 */
async function checkout(): Promise<string> {
  top = newFolder()
  const app = join(top, 'app')
  await mkdir(app)
  await rename(packages, join(app, 'node_modules'))
  const parts = ['src', 'jobs', 'static', 'migrations', 'package.json', 'tsconfig.json']
  await execa('cp', ['-al', ...parts.map(part => resolve(part)), app])
  return app
}

async function environment(app: string): Promise<Record<string, string>> {
  const { DATA_DIR: _, DOWNLOADS_DIR: __, ...rest } = await environmentIn(app)
  return { ...rest, DATABASE_URL: '', PORT: '0' }
}

const processesIn = async (...folders: string[]) =>
  (await processesWith()).filter(({ args }) => folders.some(folder => args.includes(folder)))

describe.skipIf(!is_root)('a checkout that only root can reach', () => {
  it('a checkout that only root can reach starts, keeps its data, answers npm run jobs, and leaves nothing running', async () => {
    const app = await checkout()
    expect((await stat(top)).mode & 0o777).toBe(0o700)
    const env = await environment(app)

    const first = await start('all', { env, cwd: app })
    await register(client(first.url), 'keeper')
    const { home } = JSON.parse(await readFile(join(app, '.data', 'postgres.json'), 'utf8')) as { home: string }
    const running = await processesIn(home)
    const capabilities = await readOfProcesses(
      running.map(({ pid }) => pid),
      'status',
    )
    const node = join(app, 'node_modules/.bin/node')
    const jobs = await execa(node, ['jobs/cli/inspect.ts'], { cwd: app, env })
    const people = await execa(node, ['jobs/cli/people.ts', 'list', '--json'], { cwd: app, env })
    expect(await first.stop('SIGINT')).toBe(0)
    const second = await start('all', { env, cwd: app })
    const again = await signIn(client(second.url), 'keeper')
    expect(await second.stop('SIGINT')).toBe(0)

    expect(home).toMatch(/^\/var\/lib\/backlot\//)
    expect(capabilities.length).toBeGreaterThan(0)
    for (const status of capabilities) expect(status).toMatch(/CapEff:\t0{16}\nCapBnd:\t0{16}\nCapAmb:\t0{16}/)
    expect(jobs.stdout).toMatch(/The queue is empty|housekeeping/)
    expect(JSON.parse(people.stdout)).toMatchObject([{ username: 'keeper', sessions: 1 }])
    expect(again.status).toBe(303)
    expect(await processesIn(home, top)).toEqual([])
  })

  it('a checkout of an ordinary user starts with its data next to it', async () => {
    const app = await checkout()
    const [uid, gid] = [65534, 65534]
    await chmod(top, 0o755)
    await chown(app, uid, gid)
    const env = await environment(app)

    const service = await start('all', { env, cwd: app, uid, gid })
    await register(client(service.url), 'keeper')
    const note = join(app, '.data', 'postgres.json')
    const data = await stat(join(app, '.data', 'postgres'))
    const { home } = JSON.parse(await readFile(note, 'utf8')) as { home: null }
    expect(await service.stop('SIGINT')).toBe(0)

    expect([home, data.uid, data.mode & 0o777, (await stat(note)).mode & 0o777]).toEqual([null, uid, 0o700, 0o600])
    expect(await processesIn(top)).toEqual([])
  })

  it('root with PUID and PGID gives that user its folders, becomes it before code or database are made, and can gain nothing', async () => {
    const app = await checkout()
    await chmod(top, 0o755)
    const folders = { DATA_DIR: join(top, 'data'), DOWNLOADS_DIR: join(top, 'downloads') }
    await mkdir(join(folders.DOWNLOADS_DIR, 'earlier'), { recursive: true })
    const env = { ...(await environment(app)), ...folders, PUID: '65534', PGID: '4343' }

    const service = await start('all', { env, cwd: app })
    await register(client(service.url), 'keeper')
    const running = await processesIn(top)
    const pids = [service.pid, ...running.map(({ pid }) => pid)]
    const states = await readOfProcesses(pids, 'status')
    const paths = ['data', 'data/postgres', 'data/postgres.json', 'downloads', 'downloads/earlier']
    const owners = await Promise.all(paths.map(path => stat(join(top, path))))
    const node = join(app, 'node_modules/.bin/node')
    const people = await execa(node, ['jobs/cli/people.ts', 'list', '--json'], { cwd: app, env })
    const cache = join(folders.DATA_DIR, 'cache')
    await vi.waitFor(async () => expect(await readdir(join(cache, 'node'))).not.toEqual([]))
    expect(await service.stop('SIGINT')).toBe(0)

    expect(states.length).toBeGreaterThan(1)
    for (const state of states)
      expect(state).toMatch(
        /^Uid:(\t65534){4}\nGid:(\t4343){4}\n.*^Groups:\t4343 \n.*^CapPrm:\t0{16}\nCapEff:\t0{16}$/ms,
      )
    expect(owners.map(({ uid, gid }) => [uid, gid])).toEqual(paths.map(() => [65534, 4343]))
    expect(JSON.parse(people.stdout)).toMatchObject([{ username: 'keeper' }])
    // That user cannot write to the checkout, so compiled code is in DATA_DIR, where only that user can write.
    expect(await readdir(join(cache, 'jsx'))).toContain('src-app.tsx.js')
    const { mode, uid } = await stat(cache)
    expect([mode & 0o777, uid]).toEqual([0o700, 65534])
    expect(await readdir(join(app, 'node_modules'))).not.toContain('.backlot')
    expect(await processesIn(top)).toEqual([])
  })
})
