/**
 * Starts before the first test file: opens one Postgres for the whole run, with a database that is migrated once and cloned by every
 * file.
 */
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process, { kill } from 'node:process'
import type { TestProject } from 'vitest/node'
import { createDatabase } from '../../../src/db/postgres/client.ts'
import { openEmbeddedPostgres } from '../../../src/db/postgres/embedded.ts'
import { known } from '../../../src/db/postgres/embedded-setup.ts'
import { migrateUp } from '../../../src/db/postgres/migrations.ts'
import { adviceFor } from './advice.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the server's own database. */
    server_url: string
    /** The process of the server. */
    server_pid: number
    /** For files that tests share. It is removed after the last test. */
    run_folder: string
  }
}

export const template = 'backlot_template'

export default async function setup(project: TestProject) {
  if (project.vitest.projects.every(({ name }) => name === 'text')) return
  const folder = await mkdtemp(join(tmpdir(), 'backlot-test-'))
  const data_dir = join(folder, 'postgres')
  let server: Awaited<ReturnType<typeof openEmbeddedPostgres>> | undefined
  const close = async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    server = await openEmbeddedPostgres(data_dir, in_a_hurry)
    await mkdir(join(folder, 'shared'))
    await createDatabase(server.url(template))
    await migrateUp(server.url(template))
  } catch (fault) {
    explain(fault as Error)
    // A migration that fails must not leave the server running.
    await close()
    throw fault
  }
  const place = await known(data_dir)
  const server_pid = Number.parseInt(await readFile(join(place?.cluster.data ?? '', 'postmaster.pid'), 'utf8'), 10)
  // Ctrl-C ends this process without the teardown. Neither the server nor its gigabytes may stay.
  const leave = () => {
    try {
      kill(server_pid, 'SIGQUIT')
    } catch {
      // It has ended.
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', leave)
  project.provide('server_pid', server_pid)
  project.provide('server_url', server.url('postgres'))
  project.provide('run_folder', join(folder, 'shared'))
  return async () => {
    process.off('exit', leave)
    await close()
  }
}

/** Says why at once: when the server ends after a failed migration, graphile-migrate ends this process, before Vitest says anything. */
const explain = ({ message }: Error): void =>
  console.error(['The database of the tests could not be prepared.', message, ...adviceFor([message])].join('\n'))

/**
 * The data need not survive a power cut. Parallel test files need the connections of several services at once. Vacuum would visit
 * hundreds of databases. Small `shared_buffers` make a connection cheap. `jit` costs more than it saves for a few rows.
 */
const in_a_hurry = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'autovacuum=off',
  'shared_buffers=24MB',
  'jit=off',
  'max_connections=200',
]
