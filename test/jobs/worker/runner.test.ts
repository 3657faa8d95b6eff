/** A runner breaks and stops on a Postgres of its own; hears of jobs, and gives back what it has not begun. */
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { type KeptRunner, keepRunner } from '../../../jobs/worker/runner.ts'
import { everyoneIn } from '../../../src/db/everyone.ts'
import { connect, type Sql } from '../../../src/db/postgres/client.ts'
import { forgetWorkers } from '../../../src/db/service/everyone/operations.ts'
import { silent } from '../../support/app/app.ts'
import { type Cluster, openCluster } from '../../support/process/postgres.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const folder = newFolder()
let cluster: Cluster
let sql: Sql
let runner: KeptRunner | undefined

beforeAll(async () => {
  cluster = await openCluster(folder)
  sql = connect(cluster.url, { max: 2 })
})
afterEach(async () => {
  await runner?.stop()
  runner = undefined
  await sql`delete from graphile_worker._private_jobs`
})
afterAll(async () => {
  await sql.end({ timeout: 2 })
  await cluster.stop()
})

type Options = Partial<Parameters<typeof keepRunner>[0]>
const open = (taskList: Options['taskList'], more: Options = {}): Promise<KeptRunner> =>
  keepRunner({
    database_url: cluster.url,
    concurrency: 1,
    poll_ms: 2000,
    log: silent,
    parsedCronItems: [],
    onOpen() {},
    ...more,
    ...(taskList && { taskList }),
  })
const add = (task: string, count = 1) => sql`
  select graphile_worker.add_job(${task}, max_attempts := 1) from generate_series(1, ${count})`

it('a broken runner is replaced, with new tries until the database is back', async () => {
  const opened: string[] = []
  const ran: string[] = []
  const broke = Promise.withResolvers<void>()
  const away = Promise.withResolvers<void>()
  runner = await open(
    {
      'take-away': async () => {
        await cluster.stop()
        away.resolve()
      },
      note: async () => void ran.push('note'),
    },
    {
      log: { ...silent, warn: (said: unknown) => String(said).includes('runner broke') && broke.resolve() },
      onOpen: id => void opened.push(id),
    },
  )
  await add('take-away')
  await away.promise
  await broke.promise
  await cluster.start()

  await vi.waitFor(() => add('note'))
  await vi.waitFor(() => expect(ran).toContain('note'))

  expect(opened.length).toBeGreaterThan(1)
  expect(runner.id()).toBe(opened.at(-1))
})

it('a runner that stops gives back the jobs that it has taken and not begun', async () => {
  const stopped = Promise.withResolvers<void>()
  runner = await open({ wait: () => stopped.promise }, { concurrency: 2 })
  await add('wait', 10)
  const jobs = () => sql`
    select count(*) filter (where locked_by is not null) as locked,
           count(*) filter (where locked_by is null)     as waiting
    from   graphile_worker._private_jobs`
  // Two run, and two wait in the queue of the runner.
  await vi.waitFor(async () => expect(await jobs()).toEqual([{ locked: 4, waiting: 6 }]))

  const id = runner.id()
  const stopping = runner.stop()
  stopped.resolve()
  await stopping
  await forgetWorkers(everyoneIn(sql), [id])

  expect(await jobs()).toEqual([{ locked: 0, waiting: 8 }])
})

it('a job is taken at its notification, also after the connection that listens was lost', async () => {
  const ran = vi.fn(async () => {})
  runner = await open({ note: ran })
  await add('note')
  await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(1))

  const ended = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen%'`
  expect(ended).not.toEqual([])
  // Maybe before anyone listens again.
  await add('note')

  await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(2), { timeout: 20_000 })
})

it('a job is taken when its time comes, which no notification announces', async () => {
  const ran = vi.fn(async () => {})
  runner = await open({ note: ran })
  await sql`select graphile_worker.add_job('note', run_at := now() + interval '300 milliseconds')`
  await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(1), { timeout: 20_000 })
})

it('a job whose end waits for a lock keeps no other job waiting', async () => {
  const [held, short] = [vi.fn(async () => {}), vi.fn(async () => {})]
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  runner = await open({ held: () => held().then(() => locked.promise), short }, { concurrency: 2 })
  await add('held')
  await vi.waitFor(() => expect(held).toHaveBeenCalledTimes(1))
  const other = connect(cluster.url, { max: 1 })
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
