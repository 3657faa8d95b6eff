/** Plans of feeds: a feed that hangs delays only its followers, and no feed is fetched twice. */
import { beforeEach, expect, it, vi } from 'vitest'
import { startWorker } from '../../../../jobs/worker/main.ts'
import { queueDueFeeds } from '../../../../src/db/channels/everyone/feed-plans.ts'
import { feedJobKey, planAlone } from '../../../../src/db/queue/jobs.ts'
import { beginImport, getImport } from '../../../../src/domain/imports/imports.ts'
import type { ChangeFetcher } from '../../../../src/feed/fetch/fetch-feed.ts'
import { useDatabase } from '../../../support/app/database.ts'
import { idleParts } from '../../../support/app/parts.ts'
import { type Person, person } from '../../../support/app/people.ts'

const { sql, url: database_url } = useDatabase({ connections: 4 })
const pace = { max_feeds: 100, apart_ms: 0 }

beforeEach(async () => {
  await sql`delete from channels`
  await sql`delete from graphile_worker._private_jobs`
})

async function due({ library, user }: Person, addresses: string[], failures = 0) {
  for (const rss_url of addresses) {
    const { hostname: channel_id } = new URL(rss_url)
    await library.channels.save({ channel_id, title: channel_id, rss_url }, [])
  }
  await sql`
    update channels
    set    next_fetch_at = now() - interval '1 minute', fetch_failures = ${failures}
    where  user_id = ${user.user_id} and rss_url = any(${addresses})`
}
const hosts = (count: number, name: string) =>
  Array.from({ length: count }, (_, n) => `https://${name}${n}.example/feed`)

/** The queued feeds in the order in which the workers take them. */
const queue = async () =>
  (
    await sql<{ rss_url: string }[]>`
      select   payload ->> 'rss_url' as rss_url
      from     graphile_worker._private_jobs
      order by priority, run_at, id`
  ).map(({ rss_url }) => rss_url)

it('feeds that hang delay neither another person’s import nor housekeeping', async () => {
  const [bob, carol] = [await person(sql, 'bob'), await person(sql, 'carol')]
  await due(bob, hosts(60, 'hangs'))
  await queueDueFeeds(sql, pace)
  let hanging = 0
  const fetchChanges: ChangeFetcher = (_, __, signal) => {
    hanging += 1
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  }
  const findFeed = async (rss_url: string) => ({
    rss_url,
    feed: { channel_id: 'hers', title: 'Hers', entries: [], skipped: 0 },
  })
  const parts = { ...idleParts(sql), fetchChanges, findFeed, refresh_interval_minutes: 30 }
  const worker = await startWorker(parts, { database_url, concurrency: 1 })
  try {
    await vi.waitFor(() => expect(hanging).toBeGreaterThan(3))

    const { import_id } = await beginImport(carol.library, 'https://hers.example/feed')
    await sql`select graphile_worker.add_job('housekeeping')`

    await vi.waitFor(
      async () => expect(await getImport(carol.library, import_id)).toMatchObject({ added: 1, waiting: 0 }),
      { interval: 50 },
    )
    await vi.waitFor(
      async () =>
        expect(await sql`select from graphile_worker.jobs where task_identifier = 'housekeeping'`).toEqual([]),
      { interval: 50 },
    )
  } finally {
    await worker.stop()
  }
})

it('the feeds of two users take turns, and feeds that failed before come last', async () => {
  const [bob, carol] = [await person(sql, 'bob'), await person(sql, 'carol')]
  await due(bob, hosts(10, 'his'))
  await due(bob, hosts(10, 'fails'), 3)
  await due(carol, hosts(2, 'hers'))

  await queueDueFeeds(sql, pace)

  const order = await queue()
  const placesOf = (name: string) => order.flatMap((rss_url, place) => (rss_url.includes(name) ? [place] : []))
  expect(order).toHaveLength(22)
  expect(Math.max(...placesOf('hers'))).toBeLessThan(4)
  expect(Math.min(...placesOf('fails'))).toBe(12)
})

it('the feeds of two users at one host take turns as well', async () => {
  const [bob, carol] = [await person(sql, 'bob'), await person(sql, 'carol')]
  const shared = Array.from({ length: 50 }, (_, n) => `https://shared.example/${n}`)
  await sql`
    insert into channels (user_id, channel_id, title, rss_url, next_fetch_at)
    select ${bob.user.user_id}, rss_url, rss_url, rss_url, now() - interval '1 hour' from unnest(${shared}::text[]) as rss_url`
  await due(carol, ['https://shared.example/hers'])

  await queueDueFeeds(sql, { max_feeds: 2, apart_ms: 0 })

  expect(await queue()).toContain('https://shared.example/hers')
})

it('feeds are queued behind imports and housekeeping where one worker does everything', async () => {
  const bob = await person(sql, 'bob')
  await due(bob, hosts(2, 'his'))
  await queueDueFeeds(sql, pace)

  const [first] = await sql`select min(priority) as priority from graphile_worker._private_jobs`

  expect(first?.priority).toBeGreaterThan(0)
})

it('a feed that another process has queued meanwhile, and a worker has taken, is not queued again', async () => {
  const bob = await person(sql, 'bob')
  await due(bob, hosts(1, 'his'))
  await sql`delete from graphile_worker._private_tasks where identifier = 'refresh-feed'`
  let planned: Promise<number> | undefined

  await planAlone(sql, async tx => {
    await tx`insert into graphile_worker._private_tasks (identifier) values ('refresh-feed')`
    planned = queueDueFeeds(sql, pace)
    await vi.waitFor(async () =>
      expect(
        await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      ).toHaveLength(1),
    )
    await tx`
      select graphile_worker.add_job('refresh-feed', job_key := ${feedJobKey(tx, tx`rss_url`)}, max_attempts := 1)
      from   channels`
    await tx`update graphile_worker._private_jobs set attempts = 1, locked_at = now(), locked_by = 'other'`
  })

  expect(await planned).toBe(0)
  expect(await queue()).toHaveLength(1)
})
