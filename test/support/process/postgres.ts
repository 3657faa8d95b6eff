/** As a process: a Postgres for one test, which can be stopped and started again at the same address. */
import { join } from 'node:path'
import { createDatabase } from '../../../src/db/postgres/client.ts'
import { openEmbeddedPostgres } from '../../../src/db/postgres/embedded.ts'
import { runAs } from '../../../src/db/postgres/embedded-platform.ts'
import { prepared } from '../../../src/db/postgres/embedded-setup.ts'
import { runRole } from './processes.ts'

export type Cluster = {
  /** The address of a migrated database. */
  url: string
  /** Stops at once, as in a crash: connections are not closed first. */
  stop(): Promise<void>
  start(): Promise<void>
}

export async function openCluster(folder: string): Promise<Cluster> {
  const data = join(folder, 'postgres')
  const server = await openEmbeddedPostgres(data)
  const url = server.url('backlot')
  await createDatabase(url)
  // In a separate process, because graphile-migrate ends its process when its idle connections break.
  const migrated = await runRole('migrate', { DATABASE_URL: url })
  if (migrated.code !== 0) throw new Error(migrated.said)

  const { cluster } = await prepared(data)
  const control = async (...args: string[]) => {
    const { exitCode } = await runAs(cluster.as, cluster.pg_ctl, [...args, '-D', cluster.data], { stdio: 'ignore' })
    if (exitCode !== 0) throw new Error(`pg_ctl ${args[0]} ended with ${exitCode}`)
  }
  const options = `-p ${new URL(url).port} -h 127.0.0.1 -k ''`
  return {
    url,
    stop: () => control('stop', '-m', 'immediate', '-w'),
    start: () => control('start', '-w', '-l', join(cluster.data, 'server.log'), '-o', options),
  }
}
