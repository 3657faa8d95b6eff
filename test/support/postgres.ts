/** A Postgres of a test's own, that can be taken away and given back at the same address. */
import { join } from 'node:path'
import { execa } from 'execa'
import { createDatabase } from '../../src/db/client.ts'
import { openEmbeddedPostgres } from '../../src/db/embedded.ts'
import { launcher, platformPackage } from '../../src/db/embedded-platform.ts'
import { runRole } from './processes.ts'

export type Cluster = {
  /** Of a migrated database. */
  url: string
  /** At once, as a crash would: no connection is told goodbye. */
  stop(): Promise<void>
  start(): Promise<void>
}

export async function openCluster(folder: string): Promise<Cluster> {
  const data = join(folder, 'postgres')
  const server = await openEmbeddedPostgres(data)
  const url = server.url('backlot')
  await createDatabase(url)
  // In a process of its own: graphile-migrate ends the one it runs in when its idle connections break.
  const migrated = await runRole('migrate', { DATABASE_URL: url })
  if (migrated.code !== 0) throw new Error(migrated.said)

  const { pg_ctl } = (await import(platformPackage())) as { pg_ctl: string }
  const { command } = await launcher()
  const control = async (...args: string[]) => {
    const [file = '', ...rest] = [...command, pg_ctl, ...args, '-D', data]
    await execa(file, rest, { env: { LC_ALL: 'C' }, stdio: 'ignore' })
  }
  const options = `-p ${new URL(url).port} -h 127.0.0.1 -k ''`
  return {
    url,
    stop: () => control('stop', '-m', 'immediate', '-w'),
    start: () => control('start', '-w', '-l', join(data, 'server.log'), '-o', options),
  }
}
