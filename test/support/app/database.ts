/** In this process: a connection to a database of its own for every test file, cloned from the migrated one. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, inject, vi } from 'vitest'
import { type Everyone, everyoneIn } from '../../../src/db/everyone.ts'
import { connect, type Sql } from '../../../src/db/postgres/client.ts'
import { template } from '../run/global-setup.ts'

/** A test may ask across people. */
export type TestDatabase = { readonly sql: Everyone; readonly url: string }

type Options = {
  /** Not migrated. */
  empty?: boolean
  /** The database is a copy of this one. Its `sql` must be unused: Postgres copies no database with an open connection. */
  from?: TestDatabase
  /**
   * At most. Each one plans every statement anew. A test whose queries wait for each other needs four; a test of many requests at the
   * same moment needs eight, because two rarely show a missing lock.
   */
  connections?: number | undefined
}

export function useDatabase({ empty = false, from, connections = 2 }: Options = {}): TestDatabase {
  const server = connect(inject('server_url'), { max: 1 })
  const name = `test_${randomBytes(6).toString('hex')}`
  const url = inject('server_url').replace(/\/postgres$/, `/${name}`)
  const sql = everyoneIn(connect(url, { max: connections }))
  const source = from ? new URL(from.url).pathname.slice(1) : empty ? 'template0' : template

  beforeAll(async () => {
    // Copied files do not pass through the server's memory, which all tests share.
    await server`create database ${server(name)} template ${server(source)} strategy file_copy`
  })
  afterAll(async () => {
    // The server deletes its databases when it ends, after the last test.
    await sql.end({ timeout: 5 })
    await server.end({ timeout: 5 })
  })
  return { sql, url }
}

/** Makes every query of videos wait, however small, until the function that it returns is called. */
export async function holdVideos(sql: Sql): Promise<() => Promise<void>> {
  const [gate, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = sql.begin(async tx => {
    await tx`lock table video_entries in access exclusive mode`
    locked.resolve()
    await gate.promise
  })
  await locked.promise
  return async () => {
    gate.resolve()
    await holding
  }
}

/** How many queries wait for held videos, and not for a row, as requests do for a moment that note the use of one secret. */
export async function queriesHeld(sql: Sql): Promise<number> {
  const held = await sql`select from pg_stat_activity where datname = current_database() and wait_event = 'relation'`
  return held.length
}

/** Waits until so many queries of this database wait for a lock of another one. */
export const aLockIsWaitedFor = (sql: Sql, queries = 1) =>
  vi.waitFor(async () => {
    const waiting = await sql`
      select from pg_stat_activity
      where  datname = current_database() and wait_event_type = 'Lock'`
    if (waiting.length < queries) throw new Error(`${waiting.length} of ${queries} queries wait for a lock`)
  })
