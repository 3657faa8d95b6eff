/** Chooses the database of this process: the one of `DATABASE_URL`, or the embedded one. */
import { join } from 'node:path'
import { createDatabase } from './client.ts'
import { openEmbeddedPostgres, runningEmbeddedPostgres } from './embedded.ts'

type Where = { DATABASE_URL?: string | undefined; DATA_DIR: string }
export type Database = { url: string; close(): Promise<void> }

const name = 'backlot'
const folderOf = ({ DATA_DIR }: Where) => join(DATA_DIR, 'postgres')

/** Starts the embedded server if `DATABASE_URL` is not set. */
export async function openDatabase(where: Where): Promise<Database> {
  if (where.DATABASE_URL) return { url: where.DATABASE_URL, close: async () => {} }
  const server = await openEmbeddedPostgres(folderOf(where))
  const url = server.url(name)
  await createDatabase(url)
  return { url, close: server.stop }
}

/** Starts nothing: for commands about a service that is running. */
export async function findDatabase(where: Where): Promise<string> {
  const url = where.DATABASE_URL ?? (await runningEmbeddedPostgres(folderOf(where)))?.url(name)
  if (!url) throw new Error('No database runs here. Start the service first, or set DATABASE_URL.')
  return url
}
