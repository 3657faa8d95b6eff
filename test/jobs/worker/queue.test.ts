/** The pools of a worker share connections and hear of jobs together. */
import { afterEach, expect, it, vi } from 'vitest'
import { keepPool, type Pool } from '../../../jobs/worker/pool.ts'
import { openQueue, type Queue } from '../../../jobs/worker/queue.ts'
import { connect } from '../../../src/db/postgres/client.ts'
import { silent } from '../../support/app/app.ts'
import { useDatabase } from '../../support/app/database.ts'

const { sql, url } = useDatabase()
const never_ms = 3_600_000

let queue: Queue
let pools: Pool[] = []
afterEach(async () => {
  await Promise.all(pools.map(pool => pool.stop()))
  await queue.end()
  pools = []
  await sql`delete from graphile_worker._private_jobs`
})

/** Opens a pool for one task. */
async function open(task: string, work: () => Promise<void>, concurrency = 1): Promise<void> {
  const plan = { concurrency, parsedCronItems: [], log: silent, onOpen() {} }
  pools.push(await keepPool({ ...plan, queue, taskList: { [task]: work } }))
}

const add = (task: string, count = 1) => sql`
  select graphile_worker.add_job(${task}) from generate_series(1, ${count})`

it('a job is taken at its notification, also after the connection that listens was lost', async () => {
  queue = await openQueue(sql, url, silent, { usual_ms: never_ms })
  const ran = vi.fn(async () => {})
  await open('note', ran)
  await add('note')
  await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(1))

  const ended = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen%'`
  expect(ended).toHaveLength(1)
  // Maybe before anyone listens again.
  await add('note')

  await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(2), { timeout: 20_000 })
})

it('a job is taken when its time comes, which no notification announces', async () => {
  queue = await openQueue(sql, url, silent, { usual_ms: 20 })
  const ran = vi.fn(async () => {})
  await open('note', ran)
  await sql`select graphile_worker.add_job('note', run_at := now() + interval '300 milliseconds')`
  await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(1), { timeout: 20_000 })
})

it('jobs of one kind that fill their pool keep no job of another kind waiting', async () => {
  queue = await openQueue(sql, url, silent, { usual_ms: never_ms })
  const released = Promise.withResolvers<void>()
  const [long, short] = [vi.fn(() => released.promise), vi.fn(async () => {})]
  await open('long', long, 3)
  await open('short', short)
  await add('long', 60)
  await vi.waitFor(() => expect(long).toHaveBeenCalledTimes(3))

  await add('short', 5)

  await vi.waitFor(() => expect(short).toHaveBeenCalledTimes(5))
  expect(long).toHaveBeenCalledTimes(3)
  released.resolve()
})

it('a job whose end waits for a lock keeps no job of another kind waiting', async () => {
  queue = await openQueue(sql, url, silent, { usual_ms: never_ms })
  const [held, short] = [vi.fn(async () => {}), vi.fn(async () => {})]
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  await open('held', () => held().then(() => locked.promise))
  await open('short', short)
  await add('held')
  await vi.waitFor(() => expect(held).toHaveBeenCalledTimes(1))
  const other = connect(url, { max: 1 })
  const holding = other.begin(async tx => {
    await tx`select from graphile_worker._private_jobs for update`
    locked.resolve()
    await release.promise
  })
  await vi.waitFor(async () =>
    expect(
      await sql`
      select from pg_stat_activity
      where  datname = current_database() and wait_event_type = 'Lock' and query ilike 'delete from%'`,
    ).toHaveLength(1),
  )

  await add('short', 5)

  await vi.waitFor(() => expect(short).toHaveBeenCalledTimes(5))
  release.resolve()
  await holding
  await other.end()
})

it('twelve idle pools need one connection, and another one that listens', async () => {
  queue = await openQueue(sql, url, silent, { usual_ms: never_ms })
  for (let n = 0; n < 12; n++) await open(`kind ${n}`, async () => {})
  const open_now = async () => {
    const [row] = await sql`
      select count(*) as connections from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and    (query ilike 'listen%' or application_name = '')`
    return row?.connections
  }
  await vi.waitFor(async () => expect(await open_now()).toBe(2), { timeout: 30_000 })
})
