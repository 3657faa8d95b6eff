import { expect, it } from 'vitest'
import { beatWorker, forgottenDownloads, unlockDeadWorkers } from '../../src/db/operations.ts'
import { useDatabase } from '../support/database.ts'
import { follows, person } from '../support/people.ts'

const { sql } = useDatabase()

it('brings back a download that no job stands for any more, and only that', async () => {
  const alice = await person(sql, 'alice')
  await follows(alice, 'forgotten', ['lost', 'spent', 'waiting', 'young'])
  await alice.library.downloads.request(['lost', 'spent', 'waiting'])
  const key = (video_id: string) => `download:${alice.user.user_id}:${video_id}`
  await sql`select graphile_worker.remove_job(${key('lost')})`
  await sql`update graphile_worker._private_jobs set attempts = max_attempts where key = ${key('spent')}`
  await sql`update video_entries set download_requested_at = now() - interval '1 hour' where download_requested_at is not null`
  await alice.library.downloads.request(['young'])
  await sql`select graphile_worker.remove_job(${key('young')})`

  const forgotten = (await forgottenDownloads(sql)).filter(({ user_id }) => user_id === alice.user.user_id)

  expect(forgotten.map(({ video_id }) => video_id).toSorted()).toEqual(['lost', 'spent'])
})

it('sets free what a dead worker holds, and nothing of the living', async () => {
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
