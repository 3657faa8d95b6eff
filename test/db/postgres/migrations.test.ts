/** What a start does about migrations. That they can be applied and taken back is checked by `test/nets/migrations.test.ts`. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { migrateDown, migrateUp, requireMigrated } from '../../../src/db/postgres/migrations.ts'
import { holdVideos, useDatabase } from '../../support/app/database.ts'
import { run, runRole } from '../../support/process/processes.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const db = useDatabase()

/** Migrates in a process of its own, and prints the packages of migrations that it loaded. */
const migrating = `
  import module from 'node:module'
  const loaded = []
  module.registerHooks({
    load(url, context, next) {
      loaded.push(...(url.match(/graphile-(migrate|worker)(?=[/]dist)/) ?? []).slice(0, 1))
      return next(url, context)
    },
  })
  const { migrateUp } = await import('./src/db/postgres/migrations.ts')
  await migrateUp(process.env.DATABASE_URL)
  console.log([...new Set(loaded)].sort().join(' '))
`
const migrate = () =>
  run(['node_modules/.bin/node', '--input-type=module', '--eval', migrating], { DATABASE_URL: db.url })

it('a start with nothing to migrate does not load the packages of migrations', async () => {
  expect(await migrate()).toEqual({ code: 0, said: '\n' })
})

it('a migration that is missing is found and applied', async () => {
  await migrateDown(db.url)
  await expect(requireMigrated(db.url)).rejects.toThrow('not up to date')
  expect(await migrate()).toEqual({ code: 0, said: 'graphile-migrate graphile-worker\n' })
  await requireMigrated(db.url)
})

it("graphile-migrate's own command line reads .gmrc, and lists and applies the same migrations", async () => {
  const command = (...words: string[]) =>
    run(['node_modules/.bin/graphile-migrate', ...words, '--config', '.gmrc'], { DATABASE_URL: db.url })
  const taken = await migrateDown(db.url)
  expect(await command('status')).toMatchObject({ code: 1, said: expect.stringContaining(`${taken?.slice(0, 6)}.sql`) })
  expect(await command('migrate')).toMatchObject({ code: 0 })
  expect(await command('status')).toEqual({ code: 0, said: 'Up to date.\n' })
})

it('an index of jobs that a stopped start did not make is made by the next start', async () => {
  await db.sql`drop index graphile_worker.backlot_jobs_by_task`
  expect(await migrate()).toEqual({ code: 0, said: 'graphile-migrate graphile-worker\n' })
  const found = await db.sql`select from pg_indexes where indexname = 'backlot_jobs_by_task'`
  expect(found).toHaveLength(1)
})

it('a queue of another version is left to graphile-worker', async () => {
  await db.sql`insert into graphile_worker.migrations (id, breaking) values (900000, false)`
  onTestFinished(async () => {
    await db.sql`delete from graphile_worker.migrations where id = 900000`
  })
  expect(await migrate()).toEqual({ code: 0, said: 'graphile-migrate graphile-worker\n' })
})

it('a database with a migration of a later version is used as it is', async () => {
  await db.sql`insert into graphile_migrate.migrations (hash, filename) values ('sha1:later', '999999.sql')`
  onTestFinished(async () => {
    await db.sql`delete from graphile_migrate.migrations where filename = '999999.sql'`
  })
  await expect(requireMigrated(db.url)).resolves.toBeUndefined()
})

describe('a database from which a later version took something away', () => {
  const later = useDatabase()
  const requires = (migration: string) =>
    later.sql.unsafe(`comment on table graphile_migrate.migrations is '${migration}'`)
  beforeAll(async () => {
    await later.sql`insert into graphile_migrate.migrations (hash, filename) values ('sha1:later', '999999.sql')`
    await requires('999999')
  })

  it.each([
    ['migrating', migrateUp],
    ['starting on it', requireMigrated],
    ['reverting a migration', migrateDown],
  ])('is refused by %s', async (_, use) => {
    await expect(use(later.url)).rejects.toThrow(refusal)
  })

  it.each(['all', 'web', 'worker', 'migrate', 'migrate:down'])('ends the role %s with that sentence', async role => {
    const { code, said } = await runRole(role, { DATABASE_URL: later.url, DATA_DIR: newFolder() })
    expect(code).toBe(1)
    expect(said).toMatch(refusal)
    expect(said.trimEnd().split('\n')).toHaveLength(1)
  })

  it('is used by a version that knows a late enough migration', async () => {
    await requires('000024')
    await expect(requireMigrated(later.url)).resolves.toBeUndefined()
  })
})

it('a migration that waits for a table lets others pass, and is applied when the table is free', async () => {
  // This migration changes the table of videos.
  for (let taken = await migrateDown(db.url); taken && !taken.startsWith('000024'); ) taken = await migrateDown(db.url)
  const release = await holdVideos(db.sql)
  const heard = Promise.withResolvers<void>()
  const migrated = migrateUp(db.url, (_, message) => message.includes('tried again') && heard.resolve())
  await heard.promise
  const waiting = await db.sql`select from pg_locks where not granted and relation = 'video_entries'::regclass`
  await release()
  await migrated
  expect(waiting).toHaveLength(0)
  await requireMigrated(db.url)
})

const refusal =
  /^A later version has changed this database, and this version cannot use it any more\. Start that version, or restore .+\.\s*$/
