/** Chooses the database of this process: the one of `DATABASE_URL`, or the embedded one. */
import { join, resolve } from 'node:path'
import { createDatabase, isLost } from './client.ts'
import type { ServerHandlers } from './embedded.ts'
import { addressThatFits } from './pooler.ts'

type Where = { DATABASE_URL?: string | undefined; DATA_DIR: string }
export type Database = { url: string; close(): Promise<void> }

const name = 'backlot'
const folderOf = ({ DATA_DIR }: Where) => join(DATA_DIR, 'postgres')

/** Only loaded when it is used, like the programs of the server. */
const embedded = () => import('./embedded.ts')

/**
 * For a small machine at home: less memory, fewer processes, fewer writes. A page needs as much of the processor as with the defaults,
 * because the system keeps the files in its memory too.
 */
const small = [
  'shared_buffers=32MB',
  // Each session reads for itself.
  'io_method=sync',
  'max_logical_replication_workers=0',
  'autovacuum_naptime=5min',
  'checkpoint_timeout=15min',
]

/** Starts the embedded server if `DATABASE_URL` is not set, and again if it dies. */
export async function openDatabase(where: Where, handlers: ServerHandlers): Promise<Database> {
  if (where.DATABASE_URL) return { url: await checkedAddress(where.DATABASE_URL), close: async () => {} }
  const server = await (await embedded()).openEmbeddedPostgres(folderOf(where), small, handlers)
  const url = server.url(name)
  try {
    await createDatabase(url)
    return { url, close: server.stop }
  } catch (fault) {
    await server.stop()
    throw fault
  }
}

/** Starts nothing: for commands about a service that is running. */
export async function findDatabase(where: Where): Promise<string> {
  if (where.DATABASE_URL) return checkedAddress(where.DATABASE_URL)
  const server = await (await embedded()).runningEmbeddedPostgres(folderOf(where))
  if (!server) throw new Error(noDatabase('No service runs', where))
  return server.url(name)
}

/** Most likely, the command lacks the settings of the service. */
export const noDatabase = (what: string, { DATA_DIR }: Where): string =>
  `${what} with the data in ${resolve(DATA_DIR)}. Start the service first, or write the DATA_DIR or DATABASE_URL that it has into the file .env here.`

/**
 * For commands that work with and without a running service. Starts the embedded server unless it runs. `undefined`: there is no database.
 */
export async function openExistingDatabase(where: Where): Promise<Database | undefined> {
  const exists = where.DATABASE_URL || (await (await embedded()).hasEmbeddedPostgres(folderOf(where)))
  return exists ? openDatabase(where, { onDeath() {}, onLost() {} }) : undefined
}

/** Makes the first connection to `DATABASE_URL`. Throws a sentence that names the variable; of a lost connection, with its code. */
async function checkedAddress(url: string): Promise<string> {
  try {
    return await addressThatFits(url)
  } catch (cause) {
    const { message, code = '' } = cause as Error & { code?: string }
    const is_away = /^(?:E[A-Z]+|EAI_\w+|CONNECT\w+)$/.test(code)
    const sentence = is_away ? away : `The database refuses a connection: ${message}. Check DATABASE_URL.`
    throw Object.assign(new Error(sentence, { cause }), isLost(cause) && { code })
  }
}

const away = 'The database does not answer. Start it, or check DATABASE_URL.'
