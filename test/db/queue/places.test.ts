/** The places of waiting downloads, compared with a plain count over the whole queue. */
import { beforeEach, expect, it } from 'vitest'
import { hostFlag, ruleFlag, userFlag } from '../../../src/db/queue/flags.ts'
import { placesInQueue } from '../../../src/db/queue/places.ts'
import { queueAgain } from '../../../src/db/queue/queue.ts'
import { UserId } from '../../../src/schema/values/user.ts'
import { useDatabase } from '../../support/app/database.ts'
import { rowsRead } from '../../support/app/rows-read.ts'

const { sql } = useDatabase()

const people = [1, 2, 3].map(n => UserId.parse(`00000000-0000-4000-8000-00000000000${n}`))
const hosts = ['a.example', 'b.example']
type Job = { id: number; key: string; priority: number; run_at: Date; flags: string[] }

beforeEach(async () => {
  await sql`delete from graphile_worker._private_jobs`
  await sql`delete from workers`
})

/** Like graphile-worker: in order, without the jobs that have a flag to skip. A job that waits counts those that the same flags hold. */
function plainPlaces(queue: Job[], passed: string[], user_id: UserId): Map<string, number> {
  const heldBy = (job: Job) => job.flags.filter(flag => passed.includes(flag))
  return new Map(
    queue
      .filter(({ key }) => key.startsWith(`download:${user_id}:`))
      .map(job => {
        const counted = queue.filter(other => heldBy(other).every(flag => heldBy(job).includes(flag)))
        return [job.key.split(':')[2] ?? '', counted.findIndex(({ id }) => id === job.id) + 1]
      }),
  )
}

async function fill(jobs: number, random: () => number) {
  const one = <T>(of: T[]): T => of[Math.floor(random() * of.length)] as T
  for (let n = 0; n < jobs; n++) {
    const job = {
      user_id: one(people),
      video_id: `v${n}`,
      video_host: one(hosts),
      by: one(['person', 'rule'] as const),
    }
    const run_at =
      random() < 0.1 ? new Date(Date.now() + 3_600_000) : new Date(1_700_000_000_000 + Math.floor(random() * 3))
    await queueAgain(sql, job, { run_at })
    await sql`update graphile_worker._private_jobs set priority = priority + ${Math.floor(random() * 3)} where id = (select max(id) from graphile_worker._private_jobs)`
  }
  await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'w' where id % 13 = 0`
  await sql`update graphile_worker._private_jobs set attempts = max_attempts where id % 17 = 0`
}

/** Numbers from 0 to 1, the same for the same seed. */
function seeded(seed: number): () => number {
  let last = seed
  return () => {
    last = (last * 48271) % 2147483647
    return last / 2147483647
  }
}

const queueNow = () => sql<Job[]>`
  select id, key, priority, run_at, array(select jsonb_object_keys(flags)) as flags
  from   graphile_worker.jobs
  where  locked_at is null and run_at <= now() and attempts < max_attempts
  order by priority, run_at, id`

const [alice, bob, carol] = people as [UserId, UserId, UserId]

it.each<[string, string[]]>([
  ['nothing', []],
  ['a person', [userFlag(bob)]],
  ['the person', [userFlag(alice)]],
  ['a host', [hostFlag('a.example')]],
  ['rules', [ruleFlag(alice, ''), ruleFlag(bob, 'b.example')]],
  ['several', [hostFlag('a.example'), userFlag(alice), ruleFlag(carol, ''), 'host:no-one.example']],
  ['everything', hosts.map(hostFlag)],
])('places are the same as a count over the whole queue, while workers skip %s', async (_, passed) => {
  await fill(60, seeded(passed.length + 1))
  await sql`insert into workers (id, passed_over) values ('w', ${passed})`
  await sql`insert into workers (id, passed_over, heartbeat_at) values ('dead', ${[userFlag(carol)]}, now() - interval '1 minute')`
  const all = Array.from({ length: 60 }, (_, n) => `v${n}`)

  const queue = await queueNow()
  const expected = plainPlaces(queue, passed, alice)
  expect(expected.size).toBeGreaterThan(5)
  expect(new Map([...(await placesInQueue(sql, alice, all))].toSorted())).toEqual(new Map([...expected].toSorted()))
  for (const [video_id, place] of expected)
    expect(await placesInQueue(sql, alice, [video_id])).toEqual(new Map([[video_id, place]]))
})

it('a place is found by indexes alone, however many downloads of others wait and are skipped', async () => {
  const others = Array.from({ length: 3000 }, (_, n) => ({ user_id: people[n % 2 === 0 ? 1 : 2], video_id: `o${n}` }))
  await sql`
    select count(*)
    from   graphile_worker.add_jobs(array(
             select ('download', '{}', null, now(), 3, 'download:' || user_id || ':' || video_id, 0,
                     array['user:' || user_id, 'host:a.example'])::graphile_worker.job_spec
             from   json_to_recordset(${sql.json(others)}::json) as other (user_id text, video_id text)))`
  await queueAgain(sql, { user_id: alice, video_id: 'mine', video_host: 'b.example', by: 'person' })
  await sql`insert into workers (id, passed_over) values ('w', ${[userFlag(bob)]})`
  const read = await rowsRead(sql, 'graphile_worker._private_jobs', async tx => {
    // A table of this size may as well be read whole; which is cheaper depends on when Postgres last gathered statistics.
    await tx`set local enable_seqscan = off`
    await expect(placesInQueue(tx, alice, ['mine'])).resolves.toEqual(new Map([['mine', 1501]]))
  })
  expect(read.whole).toBe(0)
  // Each download before it once, and each skipped one once.
  expect(read.by_index).toBeLessThan(5000)
})
