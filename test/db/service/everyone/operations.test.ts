/** Unlocking the jobs of dead workers, and what is counted over all people. */
import { expect, it } from 'vitest'
import { everyoneIn } from '../../../../src/db/everyone.ts'
import {
  beatWorker,
  forgetWorkers,
  forgottenDownloads,
  silentWorkers,
  unlockDeadWorkers,
} from '../../../../src/db/service/everyone/operations.ts'
import { useDatabase } from '../../../support/app/database.ts'
import { personWith } from '../../../support/app/people.ts'
import { rowsRead } from '../../../support/app/rows-read.ts'

const { sql } = useDatabase()

/** A new person with two downloads: the job of `v1` is locked by one worker, that of `v2` by the other. */
async function lockedBy(one: string, other: string) {
  const { user, library } = await personWith(sql, 'alice', 'c', ['v1', 'v2'])
  await library.downloads.request(['v1', 'v2'])
  await beatWorker(sql, one)
  await beatWorker(sql, other)
  const hers = sql`key like ${`%${user.user_id}%`}`
  await sql`
    update graphile_worker._private_jobs
    set    locked_at = now(), locked_by = case when key like '%v1' then ${one} else ${other} end
    where  ${hers}`
  return {
    jobs: () => sql`select right(key, 2) as video, locked_by from graphile_worker.jobs where ${hers} order by key`,
  }
}

it('a heartbeat of several pools keeps each of them alive', async () => {
  await beatWorker(sql, 'downloads', null, null, ['feeds', 'imports'])
  await sql`update workers set heartbeat_at = now() - interval '1 minute' where id in ('feeds', 'imports')`
  expect((await silentWorkers(sql, 20)).sort()).toEqual(['feeds', 'imports'])

  await beatWorker(sql, 'downloads', null, null, ['feeds', 'imports'])

  expect(await silentWorkers(sql, 20)).toEqual([])
  await forgetWorkers(sql, ['feeds', 'imports'])
})

it('the jobs of a dead worker are unlocked, and those of a living one are not', async () => {
  const { jobs } = await lockedBy('dead', 'living')
  await sql`update workers set heartbeat_at = now() - interval '1 minute' where id = 'dead'`

  expect(await unlockDeadWorkers(sql, 20)).toEqual(['dead'])
  expect(await unlockDeadWorkers(sql, 20)).toEqual([])

  expect(await jobs()).toEqual([
    { video: 'v1', locked_by: null },
    { video: 'v2', locked_by: 'living' },
  ])
})

it('a job that a worker left locked when it stopped is unlocked', async () => {
  const { jobs } = await lockedBy('stopped', 'running')

  await forgetWorkers(sql, ['stopped'])

  expect(await sql`select id from workers where id in ('stopped', 'running')`).toEqual([{ id: 'running' }])
  expect(await jobs()).toEqual([
    { video: 'v1', locked_by: null },
    { video: 'v2', locked_by: 'running' },
  ])
})

it('waiting downloads without a job are looked for without reading all videos', async () => {
  const crowd = await personWith(sql, 'crowd', 'c', ['v0'])
  await sql`
    insert into video_entries (user_id, channel_id, video_id, title, video_url, download_status, download_error, download_requested_at)
    select ${crowd.user.user_id}, 'c', 'n' || n, 'n', 'https://host' || n % 3 || '.example/' || n,
           case when n % 20 < 2 then 'FAILED' else 'PENDING' end::download_status, 'It failed.',
           case when n % 20 = 0 then now() - interval '1 day' end
    from   generate_series(1, 12000) n`
  await sql`
    select count(*)
    from   graphile_worker.add_jobs(array(
             select ('download', '{}', null, now(), 3, 'download:' || user_id || ':' || video_id, 0,
                     null)::graphile_worker.job_spec
             from   video_entries
             where  standing = 'waiting' and video_id <> 'n20'))`
  await sql`vacuum analyze video_entries`

  const looking = await rowsRead(sql, 'video_entries', tx =>
    expect(forgottenDownloads(everyoneIn(tx), 15)).resolves.toMatchObject([{ video_id: 'n20' }]),
  )
  expect(looking.whole).toBe(0)
})
