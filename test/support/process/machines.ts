/**
 * As processes: two web processes and three workers, each on a machine of its own, with one Postgres, a PgBouncer in transaction mode in
 * front of it for the web processes, a bucket, nginx before the web processes, and a site for the media.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { execa } from 'execa'
import { inject, vi } from 'vitest'
import { connect, type Sql } from '../../../src/db/postgres/client.ts'
import { type Bucket, startBucket } from '../app/bucket.ts'
import { type MediaServer, openMediaServer } from '../media/media.ts'
import { type Machine, openNetwork } from './network.ts'
import { startNginx } from './nginx.ts'
import { openCluster } from './postgres.ts'
import { type Running, start } from './processes.ts'
import { environmentIn } from './tools.ts'

/** One process of the service and its machine. */
export type Member = { machine: Machine; running: Running; restart(): Promise<void> }

export type Machines = {
  folder: string
  media: MediaServer
  bucket: Bucket
  sql: Sql
  /** The addresses of Postgres itself, and of PgBouncer. */
  direct_url: string
  pooled_url: string
  /** Of nginx. */
  url: string
  env: Record<string, string>
  webs: Member[]
  workers: Member[]
  close(): Promise<void>
}

/** `clocks`: the seconds by which the clocks of some machines are wrong, by their names. */
export async function openMachines(
  clocks: Record<string, number>,
  more: Record<string, string> = {},
): Promise<Machines> {
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const end of closers.reverse()) await end()
  }
  try {
    return { ...(await open(clocks, more, closers)), close }
  } catch (fault) {
    await close()
    throw fault
  }
}

async function open(clocks: Record<string, number>, more: Record<string, string>, closers: (() => unknown)[]) {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-machines-'))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  const bridge = inject('bridge')
  if (!bridge) throw new Error('The set-up of the run said why it opened no bridge.')
  const network = openNetwork(bridge)
  closers.push(network.close)
  const media = await openMediaServer(network.address, network.name)
  closers.push(media.close)
  const bucket = await startBucket(0, network.address)
  closers.push(bucket.stop)
  const variables = {
    ...(await environmentIn(folder)),
    ...bucket.variables,
    ALLOWED_ADDRESSES: network.address,
    ...more,
  }
  const cluster = await openCluster(folder, { network })
  closers.push(cluster.stop)
  const sql = connect(cluster.url, { max: 2 })
  closers.push(() => sql.end({ timeout: 1 }))
  const pool = await startPgBouncer(await network.machine('pool'), cluster.url, folder)
  closers.push(pool.stop)

  const member = async (role: 'web' | 'worker', name: string, DATABASE_URL: string): Promise<Member> => {
    const machine = await network.machine(name)
    const launch = () =>
      start(role, {
        entry: 'test/support/process/impatient-role.ts',
        env: {
          ...variables,
          ...clock(clocks[name]),
          DATABASE_URL,
          DATA_DIR: join(folder, name),
          HOST: machine.address,
          TRUSTED_PROXIES: network.address,
          ...(role === 'web' && { PORT: '8000' }),
        },
        inside: machine.inside,
      })
    const made: Member = {
      machine,
      running: await launch(),
      async restart() {
        await made.running.stop('SIGTERM')
        made.running = await launch()
      },
    }
    closers.push(() => made.running.stop('SIGKILL'))
    return made
  }
  const webs = await Promise.all(['web1', 'web2'].map(name => member('web', name, pool.url)))
  const workers = await Promise.all(['work1', 'work2', 'work3'].map(name => member('worker', name, cluster.url)))
  const nginx = await startNginx(
    webs.map(({ running }) => running.url),
    { address: `${network.address}:8080` },
  )
  closers.push(nginx.stop)
  const urls = { direct_url: cluster.url, pooled_url: pool.url, url: `http://${network.address}:8080` }
  return { folder, media, bucket, sql, ...urls, env: variables, webs, workers }
}

/** Wrong by so many seconds, as wall clocks are; timers go on. */
const clock = (seconds: number | undefined): Record<string, string> =>
  seconds === undefined
    ? {}
    : {
        LD_PRELOAD: '/usr/$LIB/faketime/libfaketime.so.1',
        FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s`,
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      }

/** In transaction mode, and otherwise as Debian configures it. */
async function startPgBouncer(machine: Machine, database_url: string, folder: string) {
  const { hostname, port, username, password, pathname } = new URL(database_url)
  const file = join(folder, 'pgbouncer.ini')
  const database = `host=${hostname} port=${port} user=${username} password=${password}`
  await writeFile(
    file,
    `[databases]
     * = ${database}
     [pgbouncer]
     listen_addr = ${machine.address}
     listen_port = 6432
     unix_socket_dir =
     auth_type = any
     pool_mode = transaction`.replace(/^ +/gm, ''),
    { mode: 0o644 },
  )
  const as_other = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', 'pgbouncer', '-q', file]
  const [program = '', ...args] = [...machine.inside, ...as_other]
  const running = execa(program, args, { env: { PATH: `${env.PATH}:/usr/sbin` }, reject: false })
  const url = `postgres://${username}@${machine.address}:6432${pathname}`
  const probe = connect(`${url}?prepare=false`, { max: 1 })
  await vi.waitFor(() => probe`select 1`)
  await probe.end()
  return {
    url,
    async stop() {
      running.kill('SIGINT')
      await running
    },
  }
}
