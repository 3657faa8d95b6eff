/** One Postgres for the whole run. Every checkout has databases of its own in it, migrated by its own migrations. */
import { join } from 'node:path'
import { connect, createDatabase, type Sql } from '../../../src/db/postgres/client.ts'
import { openEmbeddedPostgres } from '../../../src/db/postgres/embedded.ts'
import { startRole } from './checkout.ts'
import { cpuOfTrees, parentOf } from './usage.ts'

export type Database = {
  url: string
  /** One connection, for seeds and for checks. */
  sql: Sql
}

export type Databases = {
  /** An empty database with the schema of this checkout. */
  create(checkout: string): Promise<Database>
  /** A database without any table. */
  createEmpty(): Promise<Database>
  /** Seconds of processor time of the whole server so far. */
  cpu_s(): Promise<number>
  close(): Promise<void>
}

/** The tables are cleaned after seeds. Automatic cleaning at any other moment would be counted as work of the service. */
const settings = ['autovacuum=off', 'max_connections=200']

export async function openDatabases(folder: string): Promise<Databases> {
  const server = await openEmbeddedPostgres(join(folder, 'postgres'), settings)
  const sql = connect(server.url('postgres'), { max: 1 })
  const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const server_pid = await parentOf(backend?.pid ?? 0)
  const templates = new Map<string, Promise<string>>()
  const opened: Sql[] = [sql]
  let count = 0

  const templateOf = async (checkout: string) => {
    const name = `template_${templates.size}`
    await createDatabase(server.url(name))
    await startRole(checkout, 'migrate', { DATABASE_URL: server.url(name) })
    return name
  }

  const from = async (template: string): Promise<Database> => {
    const name = `bench_${count++}`
    await sql`create database ${sql(name)} template ${sql(template)}`
    const own = connect(server.url(name), { max: 1 })
    opened.push(own)
    return { url: server.url(name), sql: own }
  }

  return {
    async create(checkout) {
      const template = templates.get(checkout) ?? templateOf(checkout)
      templates.set(checkout, template)
      return from(await template)
    },
    createEmpty: () => from('template0'),
    cpu_s: () => cpuOfTrees([server_pid]),
    async close() {
      for (const open of opened) await open.end({ timeout: 2 })
      await server.stop()
    },
  }
}
