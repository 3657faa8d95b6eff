/** A pool that takes many jobs at once is stopped before it has begun all of them. */
import { expect, it, vi } from 'vitest'
import { keepPool } from '../../../jobs/worker/pool.ts'
import { openQueue } from '../../../jobs/worker/queue.ts'
import { silent } from '../../support/app/app.ts'
import { useDatabase } from '../../support/app/database.ts'

const { sql, url: database_url } = useDatabase()

it('a pool that stops waits until the jobs that it has not begun are given back', async () => {
  const errors: unknown[] = []
  const stopped = Promise.withResolvers<void>()
  const queue = await openQueue(sql, database_url, silent)
  const pool = await keepPool({
    queue,
    concurrency: 2,
    takes_many: true,
    log: { ...silent, error: (said: unknown) => void errors.push(said) },
    parsedCronItems: [],
    onOpen() {},
    taskList: { wait: () => stopped.promise },
  })
  await sql`select graphile_worker.add_job('wait') from generate_series(1, 10)`
  const jobs = () => sql`
    select count(*) filter (where locked_by is not null)               as locked,
           count(*) filter (where locked_by is null and attempts = 0) as waiting
    from   graphile_worker._private_jobs`
  // Two run, and two wait in the pool's own queue.
  await vi.waitFor(async () => expect(await jobs()).toEqual([{ locked: 4, waiting: 6 }]))

  const stopping = pool.stop()
  stopped.resolve()
  await stopping
  await queue.end()

  expect(await jobs()).toEqual([{ locked: 0, waiting: 8 }])
  expect(errors).toEqual([])
})
