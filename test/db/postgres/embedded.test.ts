/** The embedded Postgres as root and as an ordinary user: its rights on this machine, and the place of its data. */
import { once } from 'node:events'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { platform, tmpdir, userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { execa } from 'execa'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { connect, createDatabase } from '../../../src/db/postgres/client.ts'
import { openEmbeddedPostgres, runningEmbeddedPostgres } from '../../../src/db/postgres/embedded.ts'
import { readPlace, writePlace } from '../../../src/db/postgres/embedded-place.ts'
import { launcher, runAs } from '../../../src/db/postgres/embedded-platform.ts'
import { readyPort } from '../../../src/db/postgres/embedded-server.ts'
import { prepared } from '../../../src/db/postgres/embedded-setup.ts'
import { processesWith, readOfProcesses } from '../../support/process/running.ts'

const is_root = platform() === 'linux' && userInfo().uid === 0
const cleanups: (() => Promise<unknown>)[] = []
const cleanUp = async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}
afterAll(() => closeShared())
afterEach(async () => {
  if (!shared) await cleanUp()
})

/** A data folder; `closed`: inside a folder that only its owner may enter, as under /root. */
async function dataFolder({ closed = false } = {}): Promise<string> {
  const top = await mkdtemp(join(tmpdir(), 'backlot-embedded-'))
  const folder = join(top, '.data', 'postgres')
  await mkdir(dirname(folder), { mode: 0o700 })
  await chmod(top, closed ? 0o700 : 0o755)
  cleanups.push(async () => {
    const note = await readPlace(folder).catch(() => undefined)
    if (note?.home) await rm(note.home, { recursive: true, force: true })
    await rm(top, { recursive: true, force: true })
  })
  return folder
}

/** A server for the tests that do not change it. */
let shared: Promise<Opened> | undefined
type Opened = Awaited<ReturnType<typeof open>> & { folder: string }
const sharedOne = (): Promise<Opened> => {
  shared ??= (async () => {
    const folder = await dataFolder()
    return { folder, ...(await open(folder)) }
  })()
  return shared
}
const closeShared = () => {
  shared = undefined
  return cleanUp()
}

async function open(folder: string, settings = ['fsync=off']) {
  const server = await openEmbeddedPostgres(folder, settings)
  cleanups.push(server.stop)
  await createDatabase(server.url('backlot'))
  const sql = connect(server.url('backlot'), { max: 2 })
  cleanups.push(() => sql.end())
  return { server, sql, url: server.url('backlot') }
}

/** The postmaster and all its child processes. */
async function serverProcesses(folder: string): Promise<number[]> {
  const { cluster } = await prepared(folder)
  const postmaster = Number((await readFile(join(cluster.data, 'postmaster.pid'), 'utf8')).split('\n')[0])
  const children = (await processesWith()).filter(({ parent }) => parent === postmaster)
  return [postmaster, ...children.map(({ pid }) => pid)]
}

describe('the role of the service', () => {
  it('the role of the service is no superuser, starts no programs, reads no files, and owns its database', async () => {
    const { sql } = await sharedOne()

    const [role] = await sql`
      select rolname, rolsuper, rolcreaterole, rolreplication, rolbypassrls
      from   pg_roles where rolname = current_user`
    expect(role).toEqual({
      rolname: 'backlot',
      rolsuper: false,
      rolcreaterole: false,
      rolreplication: false,
      rolbypassrls: false,
    })
    await sql`create table words (word text)`
    await sql`create extension pg_trgm`
    await expect(sql`copy words from program 'id'`).rejects.toMatchObject({ code: '42501' })
    await expect(sql`copy words from '/etc/passwd'`).rejects.toMatchObject({ code: '42501' })
    await expect(sql`select pg_read_file('/etc/passwd')`).rejects.toMatchObject({ code: '42501' })
    await expect(sql`select rolpassword from pg_authid`).rejects.toMatchObject({ code: '42501' })
    await expect(sql`alter role backlot superuser`).rejects.toMatchObject({ code: '42501' })
  })

  it('no one can connect as superuser, because it has no password', async () => {
    const { folder, url } = await sharedOne()
    for (const password of ['', 'postgres', (await prepared(folder)).password]) {
      const as_superuser = new URL(url)
      Object.assign(as_superuser, { username: 'postgres', password })
      const sql = connect(as_superuser.href, { max: 1 })
      await expect(sql`select 1`).rejects.toMatchObject({ code: '28P01' })
      await sql.end()
    }
  })
})

const fillTable = ({ sql }: Awaited<ReturnType<typeof open>>) => sql`create table kept as select 'hers' as word`
/** Opens a database with a table, and stops it. */
async function withTable(folder: string) {
  const opened = await open(folder)
  await fillTable(opened)
  await opened.sql.end()
  await opened.server.stop()
}
const keptIn = ({ sql }: Awaited<ReturnType<typeof open>>) => sql`select word from kept`
const hers = [{ word: 'hers' }]

describe.skipIf(!is_root)('started as root', () => {
  afterAll(closeShared)

  it('no process of Postgres has a capability, or can gain one', async () => {
    const { folder } = await sharedOne()

    const statuses = await readOfProcesses(await serverProcesses(folder), 'status')

    expect(statuses.length).toBeGreaterThan(3)
    for (const status of statuses) {
      const [, ...caps] =
        /CapInh:\s(.*)\nCapPrm:\s(.*)\nCapEff:\s(.*)\nCapBnd:\s(.*)\nCapAmb:\s(.*)\n/.exec(status) ?? []
      expect(caps).toEqual(Array(5).fill('0000000000000000'))
      expect(status).toMatch(/NoNewPrivs:\t1/)
      expect(status).toMatch(/Groups:\s*\n/)
      expect(status).not.toMatch(/Uid:\s.*\b0\b/)
    }
  })

  it('the data stays in its folder when the user of Postgres can enter it, and others cannot list it', async () => {
    const { folder } = await sharedOne()
    expect((await readPlace(folder))?.home).toBeNull()
    expect((await stat(dirname(folder))).mode & 0o777).toBe(0o701)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  it.each([{ closed: false }, { closed: true }])(
    'the user of Postgres can read no password and replace none: %o',
    async where => {
      const folder = where.closed ? await dataFolder(where) : (await sharedOne()).folder
      await open(folder)
      const { cluster, password } = await prepared(folder)

      const tried = await Promise.all([
        runAs(cluster.as, 'cat', [`${folder}.json`]),
        runAs(cluster.as, 'rm', ['-f', `${folder}.json`]),
        runAs(cluster.as, 'touch', [join(dirname(folder), 'planted')]),
        runAs(cluster.as, 'touch', [join(dirname(cluster.data), 'planted')]),
        runAs(cluster.as, 'ls', [dirname(folder)]),
      ])

      expect(tried.map(({ exitCode }) => exitCode === 0)).toEqual([false, false, false, false, false])
      expect((await stat(`${folder}.json`)).mode & 0o777).toBe(0o600)
      const { stdout } = await execa('grep', ['-rlaF', password, cluster.data], { reject: false })
      expect(stdout).toBe('')
      const pids = await serverProcesses(folder)
      const seen = [...(await readOfProcesses(pids, 'environ')), ...(await readOfProcesses(pids, 'cmdline'))]
      expect(seen.length).toBeGreaterThan(3)
      expect(seen.join()).not.toContain(password)
    },
  )

  it('the service writes through no link that the user of Postgres put next to its data', async () => {
    const folder = await dataFolder()
    const { owner } = await launcher()
    const target = join(dirname(dirname(folder)), 'precious')
    await writeFile(target, 'kept')
    await chown(dirname(folder), owner?.uid ?? 0, owner?.gid ?? 0)
    for (const name of [`${folder}.owner`, `${folder}.${process.pid}.password`]) await symlink(target, name)

    await open(folder)

    expect([await readFile(target, 'utf8'), (await stat(target)).uid]).toEqual(['kept', 0])
  })

  it('the data is under /var/lib when the user of Postgres cannot enter the folder, and every process finds it or says that it is gone', async () => {
    const folder = await dataFolder({ closed: true })
    const first = await open(folder)
    await fillTable(first)
    expect((await readPlace(folder))?.home).toMatch(/^\/var\/lib\/backlot\/[0-9a-f]{12}$/)

    // A second process uses the same server, and finding it starts nothing.
    expect((await openEmbeddedPostgres(folder)).url('backlot')).toBe(first.url)
    expect((await runningEmbeddedPostgres(folder))?.url('backlot')).toBe(first.url)
    await first.sql.end()
    await first.server.stop()
    expect(await runningEmbeddedPostgres(folder)).toBeUndefined()

    const again = await open(folder)
    expect(await keptIn(again)).toEqual(hers)

    // Data that is gone is not replaced by an empty database.
    await again.sql.end()
    await again.server.stop()
    await rm((await readPlace(folder))?.home ?? '', { recursive: true })
    await expect(openEmbeddedPostgres(folder)).rejects.toThrow(/The database is gone from .*Put it back/)
  })

  it('the data is moved when its folder has been closed meanwhile, also after a crash during the move', async () => {
    const folder = await dataFolder()
    // Its server is still running, as after a kill.
    await fillTable(await open(folder))
    await chmod(dirname(dirname(folder)), 0o700)
    const moved = await open(folder)
    expect(await keptIn(moved)).toEqual(hers)
    const note = await readPlace(folder)
    if (!note) throw new Error('no note')
    expect(note.home).toMatch(/^\/var\/lib\/backlot/)
    await moved.sql.end()
    await moved.server.stop()

    await writePlace(folder, { ...note, ready: false })
    await writeFile(`${folder}.lock`, '4194300')

    expect(await keptIn(await open(folder))).toEqual(hers)
  })

  it('the data is not moved while another process uses it', async () => {
    const folder = await dataFolder()
    const opened = await open(folder)
    await writeFile(`${folder}.owner`, String(process.ppid))
    await chmod(dirname(dirname(folder)), 0o700)
    await expect(openEmbeddedPostgres(folder)).rejects.toThrow(/Another process still uses the database/)
    expect(await opened.sql`select 1 as one`).toEqual([{ one: 1 }])
    await writeFile(`${folder}.owner`, String(process.pid))
  })

  it('the database is created once when several processes start at the same moment, and the last one stops it', async () => {
    const folder = await dataFolder({ closed: true })
    const script = `import { openEmbeddedPostgres } from ${JSON.stringify(resolve('src/db/postgres/embedded.ts'))}
      const server = await openEmbeddedPostgres(${JSON.stringify(folder)}, ['fsync=off'])
      console.log(server.url('backlot'))
      process.stdin.resume().once('end', () => server.stop())`
    const starts = Array.from({ length: 4 }, () => execa(process.execPath, ['--input-type=module', '-e', script]))
    const urls = await Promise.all(starts.map(({ stdout }) => once(stdout, 'data').then(String)))
    expect(new Set(urls).size).toBe(1)
    expect(await readdir(dirname((await prepared(folder)).cluster.data))).toEqual(['postgres'])

    const [killed, ...others] = starts
    killed?.kill('SIGKILL')
    await killed?.catch(() => {})
    for (const one of others) {
      expect(await runningEmbeddedPostgres(folder)).toBeDefined()
      one.stdin.end()
      await one
    }
    expect(await runningEmbeddedPostgres(folder)).toBeUndefined()
  })
})

it('a server that is killed is started again at the same address, with its data, and can be stopped then', async () => {
  const folder = await dataFolder()
  const died = Promise.withResolvers<void>()
  const onLost = (fault: Error) => died.reject(fault)
  const server = await openEmbeddedPostgres(folder, ['fsync=off'], { onDeath: died.resolve, onLost })
  cleanups.push(server.stop)
  await createDatabase(server.url('backlot'))
  const sql = connect(server.url('backlot'), { max: 1 })
  cleanups.push(() => sql.end())
  await sql`create table kept as select 'hers' as word`
  const [postmaster = 0] = await serverProcesses(folder)
  process.kill(postmaster, 'SIGKILL')
  await died.promise

  await expect.poll(() => sql`select word from kept`.catch(String), { timeout: 30_000 }).toEqual([{ word: 'hers' }])
  expect((await serverProcesses(folder))[0]).not.toBe(postmaster)
  await server.stop()
  expect(await runningEmbeddedPostgres(folder)).toBeUndefined()
})

it('a database of another Postgres is refused with what to do, and not changed', async () => {
  const folder = await dataFolder()
  await withTable(folder)
  const { cluster } = await prepared(folder)
  const version = join(cluster.data, 'PG_VERSION')
  const own = await readFile(version, 'utf8')
  const note = await readPlace(folder)
  if (!note) throw new Error('no note')
  await writeFile(version, '17\n')
  const refusal = /made by Postgres 17, .* has Postgres \d+\. Start the version .*npm run backup.*npm run restore/

  await expect(openEmbeddedPostgres(folder)).rejects.toThrow(refusal)
  await expect(runningEmbeddedPostgres(folder)).rejects.toThrow(refusal)
  // As after a setup that was interrupted.
  await writePlace(folder, { ...note, ready: false })
  await expect(openEmbeddedPostgres(folder)).rejects.toThrow(refusal)

  await writeFile(version, own)
  expect(await keptIn(await open(folder))).toEqual(hers)
})

it('a server starts after a crash of a process with the same id, as in a container', async () => {
  const folder = await dataFolder()
  await mkdir(join(`${folder}.${process.pid}`, 'base'), { recursive: true })
  const { sql } = await open(folder)
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
})

it.skipIf(!is_root)(
  'a user whom the machine has no name for gets one from nss_wrapper, or is told what to do',
  async () => {
    const folder = await dataFolder()
    await chown(dirname(folder), 4242, 4242)
    const script = `import { openEmbeddedPostgres } from ${JSON.stringify(resolve('src/db/postgres/embedded.ts'))}
    await openEmbeddedPostgres(${JSON.stringify(folder)}).then(server => server.stop(), fault => console.log(fault.message))`
    const node = await realpath(process.execPath)
    const args = ['--reuid=4242', '--regid=4242', '--clear-groups', node, '--input-type=module', '-e', script]
    const { stdout } = await execa('setpriv', args, { reject: false })
    // The loader complains of a library that is missing.
    const { stderr } = await execa('env', ['LD_PRELOAD=libnss_wrapper.so', 'true'])
    expect(stdout).toMatch(stderr === '' ? /^$/ : /no name for the user 4242.*libnss-wrapper.*DATABASE_URL/)
  },
)

it.each([
  ['which is still empty', '', undefined],
  ['without a status', '71\n/data\n1795000000\n5433\n', undefined],
  ['of a server that is starting', '71\n/data\n1795000000\n5433\n\n127.0.0.1\n  2 1\nstarting\n', undefined],
  ['of a server that is ready', '71\n/data\n1795000000\n5433\n\n127.0.0.1\n  2 1\nready   \n', 5433],
])('a server is used only when it is ready: the file %s', (_, pid_file, port) => {
  expect(readyPort(pid_file)).toBe(port)
})
