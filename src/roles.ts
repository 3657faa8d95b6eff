/** Starts a role (all, web, worker, migrate), prints when it is ready, and stops it cleanly. */
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { startWorker } from '../jobs/worker/main.ts'
import { workerParts } from '../jobs/worker/parts.ts'
import { createApp } from './app.tsx'
import { type Config, readConfig } from './config.ts'
import { connect } from './db/postgres/client.ts'
import { openDatabase } from './db/postgres/database.ts'
import { migrateDown, migrateUp, requireMigrated } from './db/postgres/migrations.ts'
import { createDiscover } from './domain/channels/discovery.ts'
import { webSources } from './domain/channels/sources.ts'
import { filesIn } from './domain/downloads/files.ts'
import { createFeedReader } from './feed/fetch/feed-reader.ts'
import { addressPolicy } from './net/addresses.ts'
import { search_connections } from './routes/middleware/turn-limits.ts'
import { requireFolder } from './runtime/folders.ts'
import { createLog } from './runtime/log.ts'
import { serve } from './runtime/serve.ts'
import { lazyTools } from './ytdlp/tools/lazy-tools.ts'

/** What a role works with. Everything in `opened` is closed in reverse order. */
type Start = {
  config: Config
  log: ReturnType<typeof createLog>
  opened: (() => Promise<unknown>)[]
}

/** `start` returns the line that says that the role is ready. A role with `ends` stops after that. */
const roles: Record<string, { ends?: true; start(start: Start): Promise<string> }> = {
  all: {
    async start(start) {
      const url = await database(start)
      await migrateUp(url, (level, message) => start.log[level](message))
      await worker(start, url)
      return web(start, url)
    },
  },
  web: {
    async start(start) {
      const url = await database(start)
      await requireMigrated(url)
      return web(start, url)
    },
  },
  worker: {
    async start(start) {
      const url = await database(start)
      await requireMigrated(url)
      await worker(start, url)
      return 'The worker is ready.'
    },
  },
  migrate: {
    ends: true,
    async start(start) {
      await migrateUp(await database(start), (level, message) => start.log[level](message))
      return 'The database is up to date.'
    },
  },
  'migrate:down': {
    ends: true,
    async start(start) {
      const file = await migrateDown(await database(start))
      return file ? `Rolled back ${file}.` : 'There is no migration to roll back.'
    },
  },
}

async function database({ config, opened }: Start): Promise<string> {
  if (!config.DATABASE_URL) await requireFolder('DATA_DIR', config.DATA_DIR)
  const { url, close } = await openDatabase(config)
  opened.push(close)
  return url
}

async function web({ config, log, opened }: Start, database_url: string): Promise<string> {
  await requireDownloads(config, log)
  const sql = connect(database_url)
  const search_sql = connect(database_url, { max: search_connections, idle_timeout_s: 60 })
  for (const pool of [sql, search_sql]) opened.push(() => pool.end({ timeout: 2 }))
  const policy = addressPolicy(config.ALLOWED_ADDRESSES)
  const readFeed = createFeedReader({ policy })
  // Does not fetch tools: a page would have to wait for them, and the worker fetches them anyway.
  const discover = createDiscover(webSources(policy, lazyTools(config, { fetch: false })))
  const files = filesIn(config.DOWNLOADS_DIR)
  const app = await createApp({ sql, search_sql, files, readFeed, discover, log, config })
  const server = await serve(app.fetch, config.HOST, config.PORT)
  opened.push(server.close)
  return `Backlot is at ${config.PUBLIC_URL ?? server.url}`
}

async function worker({ config, log, opened }: Start, database_url: string): Promise<void> {
  await requireDownloads(config, log)
  const sql = connect(database_url)
  opened.push(() => sql.end({ timeout: 2 }))
  const { stop } = await startWorker(workerParts(config, sql, log), {
    database_url,
    concurrency: config.WORKER_CONCURRENCY,
  })
  opened.push(stop)
}

/** Warns when the folder lost permissions, because a media server may have been reading the videos. */
async function requireDownloads({ DOWNLOADS_DIR, UMASK }: Config, log: Start['log']): Promise<void> {
  if (!(await requireFolder('DOWNLOADS_DIR', DOWNLOADS_DIR))) return
  const umask = UMASK.toString(8).padStart(3, '0')
  log.warn(
    `Other users of this machine can no longer list ${DOWNLOADS_DIR} (UMASK=${umask}). The README explains how to allow it.`,
  )
}

/** Milliseconds that each part may take to stop. Downloads that a worker does not hand back in time are recovered by the next one. */
const stop_within_ms = 6000

export async function startRole(): Promise<void> {
  await start().catch((fault: unknown) => {
    console.error(sentenceOf(fault))
    process.exit(1)
  })
}

async function start(): Promise<void> {
  const name = process.argv[2] ?? 'all'
  const role = roles[name]
  if (!role) throw new Error(`There is no role ${name}. Choose one of ${Object.keys(roles).join(', ')}.`)
  const config = readConfig(process.env)
  process.umask(config.UMASK)
  const opened: Start['opened'] = []

  let stopping = false
  const stop = async (code: number) => {
    if (stopping) return
    stopping = true
    for (const close of opened.reverse()) await Promise.race([close().catch(() => {}), setTimeout(stop_within_ms)])
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(0))
  if (process.env.npm_lifecycle_event) whenOrphaned(() => stop(0))

  try {
    console.log(await role.start({ config, log: createLog(config.LOG_LEVEL), opened }))
    if (role.ends) await stop(0)
  } catch (fault) {
    console.error(sentenceOf(fault))
    await stop(1)
  }
}

/** npm passes signals on to its shell, but most shells do not pass them on to us. So we stop when our parent process is gone. */
function whenOrphaned(then: () => void): void {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && then(), 500).unref()
}

function sentenceOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault)
  const code = 'code' in fault ? fault.code : undefined
  if (code === 'EADDRINUSE') return 'This port is in use by another program. Set PORT to a free one.'
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') return 'HOST should be an address of this machine.'
  if (code === 'ECONNREFUSED') return 'The database does not answer. Start it, or check DATABASE_URL.'
  return fault.message
}
