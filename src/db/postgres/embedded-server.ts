/** Starts, watches and stops the server of one data folder. */
import { constants, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { type Cluster, isAlive, isServerOf } from './embedded-place.ts'
import { runAs } from './embedded-platform.ts'
import { service_role } from './embedded-setup.ts'

/** `false`: it runs, but another process started it, or the start took longer than a minute. */
export async function startServer(cluster: Cluster, settings: string[], port: number): Promise<boolean> {
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
const pidFile = (data: string) => readFile(join(data, 'postmaster.pid'), { encoding: 'utf8', flag: no_link })

export const isRunning = async (cluster: Cluster): Promise<boolean> => (await pgCtl(cluster, ['status'])).exitCode === 0

/**
 * Whether the process of the server lives: cheap enough to be asked every two seconds. In a container a dead process may stay as a zombie.
 * Postgres would take the zombie for a running server, so its file is removed then.
 */
export async function isServing({ data }: Cluster): Promise<boolean> {
  const found = await pidFile(data).catch((fault: NodeJS.ErrnoException) => fault)
  // This process may have no file descriptor left, which says nothing about the server.
  if (typeof found !== 'string') return found.code !== 'ENOENT'
  const pid = Number.parseInt(found, 10)
  if (!(pid > 0 && isAlive(pid))) return false
  served_by.set(data, pid)
  const is_dead = /^\d+ \(.*\) Z/s.test(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
  if (is_dead) await rm(join(data, 'postmaster.pid'), { force: true })
  return !is_dead
}

/** Another process of ours may have started the server just now, so this waits until the server is ready. */
export async function urlOf({ data }: Cluster, password: string): Promise<(database: string) => string> {
  const port = await until(async () => readyPort(await pidFile(data)), 60)
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

/** The port of a server that was killed; `undefined`: it was stopped in order, or never started. */
export async function portBefore({ data }: Cluster): Promise<number | undefined> {
  const written = await pidFile(data).catch(() => '')
  return Number(written.split('\n')[3]) || undefined
}

/** Asks every 100 ms until there is an answer, for so many seconds. */
async function until<T>(ask: () => Promise<T>, seconds: number): Promise<T> {
  for (const end = performance.now() + seconds * 1000; ; await setTimeout(100)) {
    const answer = await ask()
    if (answer || performance.now() > end) return answer
  }
}

/** The process of each server, as it was last seen. */
const served_by = new Map<string, number>()

/** pg_ctl finds no server whose folder was removed. */
export async function stopServer(cluster: Cluster): Promise<void> {
  const pid = served_by.get(cluster.data)
  const { exitCode } = await pgCtl(cluster, ['stop', '-m', 'fast', '-w', '-t', '30'])
  if (exitCode !== 0 && pid !== undefined && (await isServerOf(pid, cluster.data))) process.kill(pid, 'SIGINT')
}

/** The server inherits the stdio of pg_ctl. A pipe would stay open as long as the server runs, so there is none. */
const pgCtl = ({ as, pg_ctl, data }: Cluster, args: string[]) =>
  runAs(as, pg_ctl, [...args, '-D', data], { stdio: 'ignore' })

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
