/** What a start does about migrations. That they can be applied and taken back is checked by `test/nets/migrations.test.ts`. */
import { expect, it, onTestFinished } from 'vitest'
import { migrateDown, requireMigrated } from '../../../src/db/postgres/migrations.ts'
import { useDatabase } from '../../support/app/database.ts'
import { run } from '../../support/process/processes.ts'

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
  await db.sql`drop index graphile_worker.backlot_jobs_by_flag`
  expect(await migrate()).toEqual({ code: 0, said: 'graphile-migrate graphile-worker\n' })
  const found = await db.sql`select from pg_indexes where indexname = 'backlot_jobs_by_flag'`
  expect(found).toHaveLength(1)
})

it('a queue of another version is left to graphile-worker', async () => {
  await db.sql`insert into graphile_worker.migrations (id, breaking) values (900000, false)`
  onTestFinished(async () => {
    await db.sql`delete from graphile_worker.migrations where id = 900000`
  })
  expect(await migrate()).toEqual({ code: 0, said: 'graphile-migrate graphile-worker\n' })
})
