/** What a start does about migrations. That they can be applied and taken back is checked by `test/nets/migrations.test.ts`. */
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { connect, createDatabase, type Sql } from '../../../src/db/postgres/client.ts'
import { openEmbeddedPostgres } from '../../../src/db/postgres/embedded.ts'
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

describe('a database from before the first release', () => {
  const before = useDatabase()
  beforeAll(() => asBeforeTheRelease(before))

  it.each([
    ['migrating', migrateUp],
    ['starting on it', requireMigrated],
    ['reverting a migration', migrateDown],
  ])('is refused by %s with the way to carry it over, and not changed', async (_, use) => {
    await expect(use(before.url)).rejects.toThrow(refusal)
  })

  it.each(['all', 'web', 'worker', 'migrate', 'migrate:down'])('ends the role %s with that sentence', async role => {
    const { code, said } = await runRole(role, { DATABASE_URL: before.url, DATA_DIR: await temporaryFolder() })
    expect(code).toBe(1)
    expect(said).toMatch(refusal)
    expect(said.trimEnd().split('\n')).toHaveLength(1)
  })

  it('is refused when it is the embedded one', async () => {
    const DATA_DIR = await temporaryFolder()
    const server = await openEmbeddedPostgres(join(DATA_DIR, 'postgres'))
    const url = server.url('backlot')
    const sql = connect(url, { max: 1 })
    try {
      await createDatabase(url)
      await migrateUp(url)
      await asBeforeTheRelease({ url, sql })
    } finally {
      await sql.end()
      await server.stop()
    }

    const { code, said } = await runRole('all', { DATA_DIR })

    expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(refusal) })
  })
})

it('a database of a later version is not taken for one from before the first release', async () => {
  await db.sql`insert into graphile_migrate.migrations (hash, filename) values ('sha1:later', '999999.sql')`
  onTestFinished(async () => {
    await db.sql`delete from graphile_migrate.migrations where filename = '999999.sql'`
  })
  await expect(requireMigrated(db.url)).resolves.toBeUndefined()
})

it('a database is refused after a later version took something away, except by versions that know a late enough migration', async () => {
  const require = (migration: string) =>
    db.sql.unsafe(`comment on table graphile_migrate.migrations is ${migration === '' ? 'null' : `'${migration}'`}`)
  onTestFinished(async () => {
    await require('')
  })
  await require('000024')
  await expect(requireMigrated(db.url)).resolves.toBeUndefined()
  await require('999999')
  await expect(requireMigrated(db.url)).rejects.toThrow('A later version has changed this database')
  await expect(migrateDown(db.url)).rejects.toThrow('A later version has changed this database')
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

async function temporaryFolder(): Promise<string> {
  const folder = newFolder()
  // Otherwise, as root, the embedded Postgres would keep its data in /var/lib after the test.
  await chmod(folder, 0o755)
  return folder
}

const refusal =
  /^This database was made before the first release.+“Export everything”.+empty database \(another DATA_DIR or DATABASE_URL\).+src\/OPERATIONS\.md.+“A database from before the first release”\.\s*$/

/** As if the fourth migration of that time were applied. Nothing can be written to the database after that. */
async function asBeforeTheRelease({ url, sql }: { url: string; sql: Sql }): Promise<void> {
  for (let taken = await migrateDown(url); taken && !taken.startsWith('000004'); ) taken = await migrateDown(url)
  await sql`
    insert into graphile_migrate.migrations (hash, previous_hash, filename)
    select 'sha1:b6fad3f65eb4d3745671a0ab051787e302f1e09b', hash, '000004.sql'
    from   graphile_migrate.migrations
    where  filename = '000003.sql'`
  await sql`alter database ${sql(new URL(url).pathname.slice(1))} set default_transaction_read_only = on`
}
