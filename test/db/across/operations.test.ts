/** Unlocking the jobs of dead workers. */
import { expect, it } from 'vitest'
import { beatWorker, unlockDeadWorkers } from '../../../src/db/across/operations.ts'
import { useDatabase } from '../../support/app/database.ts'
import { follows, person } from '../../support/app/people.ts'

const { sql } = useDatabase()

it('the jobs of a dead worker are unlocked, and those of a living one are not', async () => {
  const alice = await person(sql, 'alice')
  await follows(alice, 'c', ['v1', 'v2'])
  await alice.library.downloads.request(['v1', 'v2'])
  await beatWorker(sql, 'dead')
  await beatWorker(sql, 'living')
  await sql`update workers set heartbeat_at = now() - interval '1 minute' where id = 'dead'`
  await sql`
    update graphile_worker._private_jobs
    set    locked_at = now(), locked_by = case when key like '%v1' then 'dead' else 'living' end
    where  key like ${`%${alice.user.user_id}%`}`

  expect(await unlockDeadWorkers(sql, 20)).toEqual(['dead'])
  expect(await unlockDeadWorkers(sql, 20)).toEqual([])

  const jobs = await sql`select right(key, 2) as video, locked_by from graphile_worker.jobs
    where  key like ${`%${alice.user.user_id}%`} order by key`
  expect(jobs).toEqual([
    { video: 'v1', locked_by: null },
    { video: 'v2', locked_by: 'living' },
  ])
})
