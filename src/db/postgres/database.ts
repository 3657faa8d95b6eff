/** Which database this process works on: the one it was told of, or the embedded one. */
import { join } from 'node:path'
import { createDatabase } from './client.ts'
import { openEmbeddedPostgres, runningEmbeddedPostgres } from './embedded.ts'

type Where = { DATABASE_URL?: string | undefined; DATA_DIR: string }
export type Database = { url: string; close(): Promise<void> }

const name = 'backlot'
const folderOf = ({ DATA_DIR }: Where) => join(DATA_DIR, 'postgres')

/** Starts the embedded server when no other database was named. */
export async function openDatabase(where: Where): Promise<Database> {
  if (where.DATABASE_URL) return { url: where.DATABASE_URL, close: async () => {} }
  const server = await openEmbeddedPostgres(folderOf(where))
  const url = server.url(name)
  await createDatabase(url)
  return { url, close: server.stop }
}

/** Starts nothing: for a look at a service that runs already. */
export async function findDatabase(where: Where): Promise<string> {
  const url = where.DATABASE_URL ?? (await runningEmbeddedPostgres(folderOf(where)))?.url(name)
  if (!url) throw new Error('No database runs here. Start the service first, or set DATABASE_URL.')
  return url
}
