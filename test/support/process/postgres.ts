/** As a process: a Postgres for one test, which can be stopped and started again at the same address. */
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { kill } from 'node:process'
import { createDatabase } from '../../../src/db/postgres/client.ts'
import { openEmbeddedPostgres } from '../../../src/db/postgres/embedded.ts'
import { runAs } from '../../../src/db/postgres/embedded-platform.ts'
import { prepared } from '../../../src/db/postgres/embedded-setup.ts'
import type { Network } from './network.ts'
import { runRole } from './processes.ts'
import { processesWith } from './running.ts'

export type Cluster = {
  /** The address of a migrated database. */
  url: string
  /** Stops at once, as in a crash: connections are not closed first. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops all its processes where they are: connections are accepted and never answered. Returns what lets them go on. */
  freeze(): Promise<() => void>
}

type Where = { network?: Pick<Network, 'address' | 'range'>; words?: string[] }

/** `network`: it is also reached there. `words`: before the command of the server. */
export async function openCluster(folder: string, { network, words = [] }: Where = {}): Promise<Cluster> {
  const data = join(folder, 'postgres')
  const server = await openEmbeddedPostgres(data)
  const url = server.url('backlot')
  await createDatabase(url)
  // In a separate process, because graphile-migrate ends its process when its idle connections break.
  const migrated = await runRole('migrate', { DATABASE_URL: url })
  if (migrated.code !== 0) throw new Error(migrated.said)

  const { cluster } = await prepared(data)
  const as = { ...cluster.as, command: [...cluster.as.command, ...words] }
  const control = async (...args: string[]) => {
    const { exitCode } = await runAs(as, cluster.pg_ctl, [...args, '-D', cluster.data], { stdio: 'ignore' })
    if (exitCode !== 0) throw new Error(`pg_ctl ${args[0]} ended with ${exitCode}`)
  }
  const addresses = ['127.0.0.1', ...(network ? [network.address] : [])]
  const options = `-p ${new URL(url).port} -h ${addresses} -k '' -c fsync=off -c max_connections=300`
  const start = () => control('start', '-w', '-l', join(cluster.data, 'server.log'), '-o', options)
  if (network) await appendFile(join(cluster.data, 'pg_hba.conf'), `host all all ${network.range} scram-sha-256\n`)
  if (network || words.length > 0) {
    await control('stop', '-m', 'fast', '-w')
    await start()
  }
  return {
    url: network ? url.replace('127.0.0.1', network.address) : url,
    stop: () => control('stop', '-m', 'immediate', '-w'),
    start,
    async freeze() {
      const postmaster = Number.parseInt(await readFile(join(cluster.data, 'postmaster.pid'), 'utf8'), 10)
      // First, so that it starts no further process.
      kill(postmaster, 'SIGSTOP')
      const children = (await processesWith('postgres')).filter(({ parent }) => parent === postmaster)
      const frozen = [...children.map(({ pid }) => pid), postmaster]
      for (const pid of frozen) kill(pid, 'SIGSTOP')
      return () => {
        for (const pid of frozen) kill(pid, 'SIGCONT')
      }
    },
  }
}
