/** Applies migrations (graphile-migrate's and the queue's own) and reverts them, which graphile-migrate cannot do. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { MigrationName } from '../../schema/service/backup.ts'
import { connect, firstRow, hasAny, isLocked, onlyValue, type Queryable, type Sql } from './client.ts'
import { indexJobs } from './worker-tables.ts'

const folder = fileURLToPath(new URL('../../../migrations', import.meta.url))

type Say = (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void

/**
 * Brings the database to the latest schema. Safe in several processes at once: one works, the others wait and find nothing to do.
 * The libraries are only loaded if there is something to do. Throws a sentence if this version cannot use the database.
 */
export async function migrateUp(database_url: string, say: Say = () => {}): Promise<void> {
  const sql = connect(database_url, { max: 1 })
  try {
    // graphile-migrate has its own lock, but gives up instead of waiting.
    await sql`select pg_advisory_lock(${lock_id})`
    if (await isLatest(sql)) return
    await refuseLater(sql)
    await applyAll(sql, database_url, folder, say)
  } finally {
    // The lock ends with the connection.
    await sql.end()
  }
}

/** Applies the migrations in `migrations`, and those of the queue. */
async function applyAll(sql: Sql, database_url: string, migrations: string, say: Say): Promise<void> {
  const tell = () => (level: string, message: string) => say(levelOf(level), message)
  const [graphileMigrate, graphileWorker] = await Promise.all([import('graphile-migrate'), import('graphile-worker')])
  await untilUnlocked(say, () =>
    graphileMigrate.migrate({
      connectionString: database_url,
      migrationsFolder: migrations,
      pgSettings: { lock_timeout: String(lock_timeout_ms) },
      logger: new graphileMigrate.Logger(tell),
    }),
  )
  await graphileWorker.runMigrations({ connectionString: database_url, logger: new graphileWorker.Logger(tell) })
  await indexJobs(sql)
}

/** Brings a database without rows to the schema of this migration, by applying or reverting others. */
export async function migrateTo(database_url: string, { filename }: MigrationName): Promise<void> {
  const sql = connect(database_url, { max: 1 })
  const some = await mkdtemp(join(tmpdir(), 'backlot-migrations-'))
  try {
    await sql`select pg_advisory_lock(${lock_id})`
    for (let last = await newestMigration(sql); last && last.filename > filename; last = await newestMigration(sql))
      await migrateDown(database_url)
    await mkdir(join(some, 'committed'))
    for (const name of await namesOfCommitted())
      if (name.slice(0, 6) <= filename.slice(0, 6))
        await cp(join(folder, 'committed', name), join(some, 'committed', name))
    await writeFile(join(some, 'current.sql'), '')
    await applyAll(sql, database_url, some, () => {})
  } finally {
    await sql.end()
    await rm(some, { recursive: true, force: true })
  }
}

/** The newest applied migration; `undefined`: none is. */
export async function newestMigration(sql: Queryable): Promise<MigrationName | undefined> {
  if (!(await hasAny(sql`select where to_regclass('graphile_migrate.migrations') is not null`))) return undefined
  return firstRow(sql<MigrationName[]>`
    select filename, hash from graphile_migrate.migrations order by filename desc limit 1`)
}

/** `newer`: this version does not have it. `other`: it has another one of this number. */
export async function isOurMigration({ filename, hash }: MigrationName): Promise<'ours' | 'newer' | 'other'> {
  const found = (await committed()).find(migration => migration.filename === filename)
  if (!found) return 'newer'
  return found.hash === hash ? 'ours' : 'other'
}

/** The names of all tables that a migration of ours made. Some may be gone. */
export async function namesOfTables(): Promise<string[]> {
  const texts = await Promise.all(
    (await namesOfCommitted()).map(name => readFile(join(folder, 'committed', name), 'utf8')),
  )
  const made = texts.flatMap(text => [...text.matchAll(/^create table (\w+)/gm)].map(([, name = '']) => name))
  return [...new Set(made)].toSorted()
}

/**
 * How long a migration waits for a table that a transaction uses. Everyone who needs the table waits behind it, so it soon lets them pass,
 * and tries again. Half of the second after which Postgres ends one of two transactions that wait for each other: the migration can be
 * tried again, and a request of a person that waits for it can't.
 */
const lock_timeout_ms = 500
const pause_ms = 2000
const longest_wait_ms = 10 * 60_000

async function untilUnlocked(say: Say, migrate: () => Promise<unknown>): Promise<void> {
  for (const began = performance.now(); ; await setTimeout(pause_ms)) {
    try {
      await migrate()
      return
    } catch (fault) {
      if (!isLocked(fault) || performance.now() - began > longest_wait_ms) throw fault
      say('warn', 'A transaction uses a table that a migration has to change. The migration is tried again.')
    }
  }
}

/**
 * Throws a sentence if a later version has changed the database so that this one cannot work on it. Most migrations only add to it, and
 * a migration that takes something away writes in the comment of this table which migration a version must know.
 */
async function refuseLater(sql: Queryable): Promise<void> {
  const required = await onlyValue<string | null>(sql`
    select obj_description(to_regclass('graphile_migrate.migrations'), 'pg_class') as required`)
  const newest = (await committed()).at(-1)?.filename ?? ''
  if (required && newest.slice(0, 6) < required) throw new Error(later)
}

const later =
  'A later version has changed this database, and this version cannot use it any more. Start that version, or restore the backup that ' +
  'was made before the update.'

/** Any number that is not used for another advisory lock of this database. */
const lock_id = 8_250_241

/**
 * Whether the newest applied migrations are the newest ones: ours by their hash, which covers all before it, and the queue's. The
 * index of jobs is made last, so it is missing if an earlier start was stopped.
 */
async function isLatest(sql: Sql): Promise<boolean> {
  const [ours, queues] = await Promise.all([committed(), newestOfQueue()])
  const exist = await hasAny(sql`
    select
    where  to_regclass('graphile_migrate.migrations') is not null
    and    to_regclass('graphile_worker.migrations') is not null
    and    to_regclass('graphile_worker.backlot_jobs_by_task') is not null`)
  if (!exist) return false
  const [applied] = await sql`
    select (select hash from graphile_migrate.migrations order by filename desc limit 1) as ours,
           (select max(id) from graphile_worker.migrations) as queues`
  return applied?.ours === ours.at(-1)?.hash && applied?.queues === queues
}

/** `undefined`: the package is laid out in another way, so only graphile-worker can tell. */
async function newestOfQueue(): Promise<number | undefined> {
  const sources = join(createRequire(import.meta.url).resolve('graphile-worker'), '../../sql')
  const names = await readdir(sources).catch(() => [])
  return names.length === 0 ? undefined : Math.max(...names.map(name => Number.parseInt(name, 10)))
}

const namesOfCommitted = async () =>
  (await readdir(join(folder, 'committed'))).filter(name => name.endsWith('.sql')).toSorted()

/** The migrations of this version, with the names and hashes that graphile-migrate stores when it has applied them. */
async function committed(): Promise<{ filename: string; hash: string | undefined }[]> {
  return Promise.all(
    (await namesOfCommitted()).map(async name => {
      const text = await readFile(join(folder, 'committed', name), 'utf8')
      return { filename: `${name.slice(0, 6)}.sql`, hash: /^--! Hash: (\S+)$/m.exec(text)?.[1] }
    }),
  )
}

/**
 * Reverts the newest migration, in one transaction with its row in graphile-migrate's table.
 * Returns its file name, or `undefined` if no migration is left to revert.
 */
export async function migrateDown(database_url: string): Promise<string | undefined> {
  const sql = connect(database_url, { max: 1 })
  try {
    return await sql.begin(async tx => {
      if (!(await newestMigration(tx))) return undefined
      await tx`lock table graphile_migrate.migrations in exclusive mode`
      await refuseLater(tx)
      const last = await newestMigration(tx)
      if (!last) return undefined

      const file = await wayDown(last.filename)
      await tx.file(join(folder, 'revert', file))
      await tx`delete from graphile_migrate.migrations where hash = ${last.hash}`
      return file
    })
  } finally {
    await sql.end()
  }
}

/**
 * Throws a sentence unless every migration of this version is applied. Later ones may be applied too, while a later version takes the place
 * of this one.
 */
export async function requireMigrated(database_url: string): Promise<void> {
  const sql = connect(database_url, { max: 1 })
  try {
    await refuseLater(sql)
    const files = await committed()
    const is_any = await newestMigration(sql)
    const applied = is_any ? await onlyValue<number>(sql`select count(*) as count from graphile_migrate.migrations`) : 0
    if (applied < files.length) throw new Error('The database is not up to date. Run `npm run migrate` first.')
  } finally {
    await sql.end()
  }
}

/** The files of both folders have the same numbers; graphile-migrate stores the number alone. */
async function wayDown(filename: string): Promise<string> {
  const number = filename.slice(0, 6)
  const files = await readdir(join(folder, 'revert'))
  const file = files.find(name => name.startsWith(number))
  if (!file)
    throw new Error(`migrations/revert has no file for ${number}: write one before taking this migration back.`)
  return file
}

const levelOf = (level: string) => (level === 'error' ? 'error' : level === 'warning' ? 'warn' : 'debug')
