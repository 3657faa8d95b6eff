/**
 * `npm run migration -- <name>`: makes `current.sql` the next committed migration, on a Postgres of its own.
 * Write the way back as `revert/<the same file name>`.
 */
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { commit } from 'graphile-migrate'
import { createDatabase } from '../src/db/postgres/client.ts'
import { openEmbeddedPostgres } from '../src/db/postgres/embedded.ts'

const [name] = process.argv.slice(2)
if (!name) throw new Error('Name the migration: npm run migration -- feed-state')

const folder = fileURLToPath(new URL('.', import.meta.url))
const aside = await mkdtemp(join(tmpdir(), 'backlot-migration-'))
const server = await openEmbeddedPostgres(join(aside, 'postgres'))
try {
  for (const database of ['main', 'shadow']) await createDatabase(server.url(database))
  const urls = { connectionString: server.url('main'), shadowConnectionString: server.url('shadow') }
  await commit({ ...urls, rootConnectionString: server.url('postgres'), migrationsFolder: folder }, name)
  const committed = join(folder, 'committed')
  for (const file of await readdir(committed)) await chmod(join(committed, file), 0o644)
} finally {
  // graphile-migrate keeps its connections that long, and ends the process when they break.
  await setTimeout(500)
  await server.stop()
  await rm(aside, { recursive: true, force: true })
}
