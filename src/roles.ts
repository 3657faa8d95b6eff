/** Starts a role (all, web, worker, migrate), prints when it is ready, and stops it cleanly. */
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { type Config, configOfProcess } from './config/config.ts'
import { connect, idle_timeout_s, isLost, isOfDriver } from './db/postgres/client.ts'
import { openDatabase } from './db/postgres/database.ts'
import { migrateDown, migrateUp, requireMigrated } from './db/postgres/migrations.ts'
import { requireSessions } from './db/postgres/pooler.ts'
import { type AddressPolicy, addressPolicy, amongThem } from './net/addresses.ts'
import { every } from './runtime/every.ts'
import { requireFolder } from './runtime/folders.ts'
import { giveBackWhenIdle } from './runtime/give-back.ts'
import { createLog } from './runtime/log.ts'
import { missingPackageIn } from './runtime/missing-package.ts'
import { waysFromOutside } from './runtime/other-devices.ts'
import { requireFree, type serve } from './runtime/serve.ts'
import { NoAnswer, requireMedia } from './store/media-tree.ts'
import { requireStorage } from './store/storage.ts'

/** How the service reaches other machines, which tests replace, and how it is reached. */
export type Outside = {
  policyOf(config: Config): AddressPolicy
  /** Seconds between two requests of one listing. */
  listing_pause_s?: number
  /** Between two downloads from one host; absent: the usual pause. */
  host_pause_seconds?: number
  serve?: typeof serve
}

/** A person reads what is printed. */
const is_terminal = process.stdout.isTTY

const as_configured: Outside = { policyOf: ({ ALLOWED_ADDRESSES }) => addressPolicy(ALLOWED_ADDRESSES) }

/** What a role works with. Everything in `opened` is closed in reverse order. */
type Start = {
  config: Config
  outside: Outside
  log: ReturnType<typeof createLog>
  opened: ((patiently?: boolean) => Promise<unknown>)[]
  /** Aborted when the stop begins. */
  signal: AbortSignal
  /** Ends a service that cannot go on. */
  fail(fault: Error): void
}

/**
 * `start` returns what says that the role is ready. A role with `serves` listens on PORT. A role with `ends` stops after its start. A role
 * with `drains` gives open answers more time when it is terminated, because another process takes the next requests. One with `once` does
 * not begin again when it loses the database, because it would do a second step.
 */
const roles: Record<
  string,
  { ends?: true; serves?: true; drains?: true; once?: true; start(start: Start): Promise<string> }
> = {
  all: {
    serves: true,
    async start(start) {
      // The code loads while Postgres starts.
      const [url] = await Promise.all([migrated(start), code.web(), code.worker()])
      await requireDownloads(start)
      // When one part fails, the other one is opened first and closed then.
      const [line, working] = await Promise.allSettled([web(start, url, true), worker(start, url)])
      if (working.status === 'rejected') throw working.reason
      if (line.status === 'rejected') throw line.reason
      return line.value
    },
  },
  web: {
    serves: true,
    drains: true,
    start: async start => web(start, await prepared(start, await database(start))),
  },
  worker: {
    async start(start) {
      await worker(start, await prepared(start, await databaseWithSessions(start, 'a worker')))
      return 'The worker is ready.'
    },
  },
  migrate: {
    ends: true,
    async start(start) {
      await migrated(start)
      return 'The database is up to date.'
    },
  },
  'migrate:down': {
    ends: true,
    once: true,
    async start(start) {
      const file = await migrateDown(await database(start))
      return file ? `Rolled back ${file}.` : 'There is no migration to roll back.'
    },
  },
}

async function database({ config, log, opened, fail }: Start): Promise<string> {
  if (!config.DATABASE_URL) await requireFolder('DATA_DIR', config.DATA_DIR)
  const { url, close } = await openDatabase(config, {
    onDeath: () => log.warn('The embedded Postgres died. It is started again.'),
    onLost: fail,
  })
  opened.push(close)
  return url
}

async function databaseWithSessions(start: Start, whose: string): Promise<string> {
  const url = await database(start)
  await requireSessions(url, whose)
  return url
}

/** The database of a role that leaves migrations to another process. */
async function prepared(start: Start, url: string): Promise<string> {
  await requireMigrated(url)
  await requireDownloads(start)
  return url
}

async function migrated(start: Start): Promise<string> {
  const url = await databaseWithSessions(start, 'a process that migrates it')
  await migrateUp(url, (level, message) => start.log[level](message))
  return url
}

/** `is_alone`: there is no other process, so this one also says how to begin. */
async function web({ config, outside, log, opened }: Start, database_url: string, is_alone = false): Promise<string> {
  const { openWeb } = await code.web()
  const { url, isNew } = await openWeb(config, database_url, log, opened, outside.policyOf(config), outside.serve)
  const welcome = `No account yet: open ${url}/register. The first account is the administrator.`
  const ways = is_terminal && !config.PUBLIC_URL && !outside.serve ? waysFromOutside(config.HOST, url) : []
  return [`Backlot is at ${url}`, ...ways, ...(is_alone && (await isNew()) ? [welcome] : [])].join('\n')
}

async function worker({ config, outside, log, opened, signal }: Start, database_url: string): Promise<void> {
  if (await requireMedia(config)) warnOfUmask({ config, log }, config.MEDIA_DIR)
  const [{ startWorker }, { workerParts }] = await code.worker()
  const sql = connect(database_url, { idle_timeout_s })
  opened.push(() => sql.end({ timeout: 2 }))
  const { stop } = await startWorker(
    workerParts(config, sql, log, { ...outside, policy: outside.policyOf(config), signal }),
    {
      database_url,
      concurrency: config.WORKER_CONCURRENCY,
    },
  )
  opened.push(stop)
}

/** A role loads only the code that it runs. */
const code = {
  web: () => import('./web.ts'),
  worker: () => Promise.all([import('../jobs/worker/main.ts'), import('../jobs/worker/parts.ts')]),
}

async function requireDownloads({ config, log }: Start): Promise<void> {
  if (await requireStorage(config)) warnOfUmask({ config, log }, config.DOWNLOADS_DIR)
}

/** The folder lost permissions, and a media server may have been reading the videos. */
function warnOfUmask({ config, log }: Pick<Start, 'config' | 'log'>, folder = ''): void {
  const umask = config.UMASK.toString(8).padStart(3, '0')
  log.warn(
    `Other users of this machine can no longer list ${folder} (UMASK=${umask}). “Who can read the files” in docs/storage.md says how to allow it.`,
  )
}

/** Milliseconds that each part may take to stop. Downloads that a worker does not hand back in time are recovered by the next one. */
const stop_within_ms = 6000
const drained_within_ms = 30_000
const begin_again_ms = 500
/** Milliseconds after which a start that loses its connections to the database is given up. */
const longest_start_ms = 60_000

export async function startRole(outside: Partial<Outside> = {}): Promise<void> {
  await start({ ...as_configured, ...outside }).catch((fault: unknown) => {
    console.error(sentenceOf(fault))
    process.exit(1)
  })
}

async function start(outside: Outside): Promise<void> {
  const name = process.argv[2] ?? 'all'
  const role = roles[name]
  if (!role) throw new Error(`There is no role ${name}. Choose one of ${Object.keys(roles).join(', ')}.`)
  const config = configOfProcess()
  process.umask(config.UMASK)
  if (!role.ends) await judge(name, config, outside)
  if (is_terminal && !role.ends) console.log('Backlot starts.')
  const opened: Start['opened'] = []
  const log = createLog(config.LOG_LEVEL)

  let closing = Promise.resolve()
  const close = (drains = false): Promise<void> => {
    const within_ms = drains ? drained_within_ms : stop_within_ms
    closing = closing.then(async () => {
      for (let part = opened.pop(); part; part = opened.pop())
        await Promise.race([part(drains).catch(() => {}), setTimeout(within_ms)])
    })
    return closing
  }
  const stopping = new AbortController()
  const { signal } = stopping
  const stop = async (code: number, exit: (code: number) => void = process.exit, drains = false) => {
    if (signal.aborted) return
    stopping.abort()
    // What fails from now on fails because of the stop. Faults of our own are logged.
    if (log.isLevelEnabled('warn')) log.level = 'error'
    await close(drains)
    exit(code)
  }
  const fail = (fault: Error) => {
    console.error(sentenceOf(fault))
    void stop(1)
  }
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => stop(0))
  process.on('SIGTERM', () => stop(0, process.exit, role.drains))
  // Node reports a rejected promise that has no handler here, too.
  process.on('uncaughtException', fault => {
    if (isOfDriver(fault))
      return log.error({ err: fault }, 'a connection to the database failed outside of a statement')
    console.error(fault)
    void stop(1)
  })
  if (process.env.npm_lifecycle_event) whenOrphaned(() => stop(0))

  const began = performance.now()
  const begin = async (): Promise<string> => {
    try {
      return await role.start({ config, outside, log, opened, signal, fail })
    } catch (fault) {
      if (role.once || !isLost(fault) || performance.now() - began > longest_start_ms) throw fault
      log.warn('The connection to the database was lost. The start begins again.')
      await close()
      await setTimeout(begin_again_ms)
      // The process ends.
      if (signal.aborted) throw fault
      return await begin()
    }
  }
  try {
    console.log(await begin())
    if (role.ends) await stop(0)
    giveBackWhenIdle()
  } catch (fault) {
    if (signal.aborted) return
    console.error(sentenceOf(fault))
    await stop(1, fault instanceof NoAnswer ? killed : process.exit)
  }
}

/** Throws a sentence for settings that are wrong on this machine. Nothing has started yet, so no other line hides the sentence. */
async function judge(name: string, config: Config, { policyOf, serve }: Outside): Promise<void> {
  amongThem(config.TRUSTED_PROXIES)
  policyOf(config)
  await (await import('./ytdlp/tools/operator.ts')).readOperator(config)
  if (name !== 'web') await (await import('./ytdlp/tools/machine.ts')).requireNamed(config)
  if (roles[name]?.serves && !serve) await requireFree(config.HOST, config.PORT)
}

/** Ends this process even while a read of a network share never ends. */
const killed = () => process.kill(process.pid, 'SIGKILL')

/** npm passes signals on to its shell, but most shells do not pass them on to us. So we stop when our parent process is gone. */
function whenOrphaned(then: () => void): void {
  const parent = process.ppid
  every(500, () => process.ppid !== parent && then()).unref()
}

function sentenceOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault)
  const code = 'code' in fault ? fault.code : undefined
  if (code === 'EADDRINUSE') {
    const { port } = fault as { port?: number }
    return `The port${port ? ` ${port}` : ''} is in use by another program. Set PORT to a free one.`
  }
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL')
    return 'HOST should be an address of this machine, such as 127.0.0.1 or 0.0.0.0, without a port.'
  if (code === 'ECONNREFUSED') return 'The database does not answer. Start it, or check DATABASE_URL.'
  return missingPackageIn(fault.message) ?? fault.message
}
