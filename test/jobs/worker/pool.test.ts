/** A pool that breaks because the database goes away just as a job ends. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { keepPool } from '../../../jobs/worker/pool.ts'
import { openQueue } from '../../../jobs/worker/queue.ts'
import { everyoneIn } from '../../../src/db/everyone.ts'
import { connect, type Sql } from '../../../src/db/postgres/client.ts'
import { silent } from '../../support/app/app.ts'
import { type Cluster, openCluster } from '../../support/process/postgres.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const folder = newFolder()
let cluster: Cluster
let sql: Sql

beforeAll(async () => {
  cluster = await openCluster(folder)
  sql = connect(cluster.url, { max: 2 })
})
afterAll(async () => {
  await sql.end({ timeout: 2 })
  await cluster.stop()
})

it('a broken pool is replaced, with new tries until the database is back', async () => {
  const opened: string[] = []
  const ran: string[] = []
  const broke = Promise.withResolvers<void>()
  const away = Promise.withResolvers<void>()
  const queue = await openQueue(everyoneIn(sql), cluster.url, silent)
  const pool = await keepPool({
    queue,
    concurrency: 1,
    log: { ...silent, warn: (said: unknown) => String(said).includes('pool broke') && broke.resolve() },
    parsedCronItems: [],
    onOpen: id => void opened.push(id),
    taskList: {
      'take-away': async () => {
        await cluster.stop()
        away.resolve()
      },
      note: async () => void ran.push('note'),
    },
  })
  await sql`select graphile_worker.add_job('take-away', max_attempts := 1)`
  await away.promise
  await broke.promise
  await cluster.start()

  await vi.waitFor(() => sql`select graphile_worker.add_job('note')`)
  await vi.waitFor(() => expect(ran).toContain('note'))

  expect(opened.length).toBeGreaterThan(1)
  expect(pool.id()).toBe(opened.at(-1))
  await pool.stop()
  await queue.end()
})
