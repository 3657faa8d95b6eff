/** The rounds of requested downloads, found without reading all jobs. */
import { expect, it } from 'vitest'
import { queueUp } from '../../../src/db/queue/queue.ts'
import { useDatabase } from '../../support/app/database.ts'
import { follows, person } from '../../support/app/people.ts'
import { rowsRead } from '../../support/app/rows-read.ts'

const { sql } = useDatabase()

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
