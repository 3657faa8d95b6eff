/** The rounds of requested downloads, found without reading all jobs, and jobs that a worker takes while they are replaced. */
import { beforeEach, expect, it } from 'vitest'
import { downloadKey, queueUp } from '../../../src/db/queue/queue.ts'
import { aLockIsWaitedFor, useDatabase } from '../../support/app/database.ts'
import { follows, person, personWith } from '../../support/app/people.ts'
import { rowsRead } from '../../support/app/rows-read.ts'

const { sql } = useDatabase({ connections: 4 })
beforeEach(() => sql`truncate graphile_worker._private_jobs`)

it('a request takes the next rounds of its person, and reads none of the 3,000 waiting downloads of others whole', async () => {
  const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
  await sql`
    select count(*)
    from   graphile_worker.add_jobs(array(
             select ('download', '{}', null, now(), 3, ${`download:${bob.user.user_id}:`} || n, 7 + n / 100,
                     array[${`user:${bob.user.user_id}`}])::graphile_worker.job_spec
             from   generate_series(1, 3000) as n))`
  await sql`analyze graphile_worker._private_jobs`
  await follows(alice, 'c', ['v1', 'v2', 'v3'])
  const wants = (video_ids: string[]) => {
    const videos = video_ids.map(video_id => ({ video_id, video_host: 'videos.example' }))
    return rowsRead(sql, 'graphile_worker._private_jobs', tx =>
      queueUp(tx, alice.user.user_id, videos, new Set(video_ids), 'person'),
    )
  }

  const first = await wants(['v1', 'v2'])
  const second = await wants(['v3'])

  const rounds = await sql`
    select priority from graphile_worker.jobs where key like ${`download:${alice.user.user_id}:%`} order by key`
  expect(rounds.map(({ priority }) => priority)).toEqual([7, 8, 9])
  expect([first.whole, second.whole]).toEqual([0, 0])
})

it('a download keeps a job although a worker takes an old one of it at the moment it is handed back', async () => {
  const alice = await personWith(sql, 'alice', 'c', ['v1'])
  const { downloads, user_id } = alice.library
  const key = downloadKey({ user_id, video_id: 'v1' })
  await downloads.request(['v1'])
  const claim = crypto.randomUUID()
  await downloads.start('v1', claim)

  const { handedBack } = await sql.begin(async worker => {
    await worker`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'other' where key = ${key}`
    const handedBack = downloads.handBack('v1', claim)
    await aLockIsWaitedFor(sql)
    return { handedBack }
  })

  expect(await handedBack).toBe(true)
  expect(await sql`select 1 from graphile_worker.jobs where key = ${key} and locked_at is null`).toHaveLength(1)
})
