/** Jobs of feeds that run at the same time read and save their feeds in common statements. */
import type { JobHelpers } from 'graphile-worker'
import { beforeEach, expect, it, vi } from 'vitest'
import { refreshFeedTask } from '../../../jobs/tasks/feeds.ts'
import { startWorker } from '../../../jobs/worker/main.ts'
import { runners } from '../../../jobs/worker/runners.ts'
import { queueDueFeeds } from '../../../src/db/channels/everyone/feed-plans.ts'
import type { Everyone } from '../../../src/db/everyone.ts'
import type { ChangeFetcher } from '../../../src/feed/fetch/fetch-feed.ts'
import { RuleRequest } from '../../../src/schema/rules/rule.ts'
import { type FeedVersion, never_fetched } from '../../../src/schema/sources/feed.ts'
import { silent } from '../../support/app/app.ts'
import { useDatabase } from '../../support/app/database.ts'
import { idleParts } from '../../support/app/parts.ts'
import { entry, person } from '../../support/app/people.ts'
import { statementsOf } from '../../support/app/statements.ts'

const { sql, url: database_url } = useDatabase()

beforeEach(async () => {
  await sql`delete from channels`
  await sql`delete from graphile_worker._private_jobs`
})

const unchanged = (known: FeedVersion = never_fetched) => ({ known, min_wait_s: null })
const taskWith = (fetchChanges: ChangeFetcher, on: Everyone = sql) =>
  refreshFeedTask({ sql: on, log: silent, fetchChanges, refresh_interval_minutes: 30 })
const run = async (task: ReturnType<typeof taskWith>, rss_url: string) => task({ rss_url }, {} as JobHelpers)

/** Feeds of one person that are due, each at a host of its own. */
async function dueFeeds(count: number): Promise<string[]> {
  const { user } = await person(sql, 'alice')
  const addresses = Array.from({ length: count }, (_, n) => `https://host${n}.example/feed`)
  await sql`
    insert into channels (user_id, channel_id, title, rss_url, next_fetch_at)
    select ${user.user_id}, rss_url, rss_url, rss_url, now() from unnest(${addresses}::text[]) as rss_url`
  return addresses
}
const stillDue = async () =>
  (await sql<{ rss_url: string }[]>`select rss_url from channels where next_fetch_at <= now() order by rss_url`).map(
    ({ rss_url }) => rss_url,
  )

it('a rule is applied at an unchanged feed although 500 newer videos need no judging', async () => {
  const { user, library } = await person(sql, 'alice')
  const newer = Array.from({ length: 501 }, (_, n) =>
    entry(`newer${n}`, { published_at: new Date(Date.UTC(2021, 5, 1, 0, n)) }),
  )
  const missed = entry('missed', { published_at: new Date(Date.UTC(2021, 1, 1)) })
  const rss_url = 'https://host.example/feed'
  await library.channels.save({ channel_id: 'c', title: 'C', rss_url }, newer)
  await library.rules.save('c', { ...RuleRequest.parse({ auto_download: true }) })
  // Saved by a worker that died before it applied the rule.
  await library.channels.save({ channel_id: 'c', title: 'C', rss_url }, [missed, ...newer])
  await sql`update channels set next_fetch_at = now(), created_at = '2020-01-01' where user_id = ${user.user_id}`

  await run(
    taskWith(async () => unchanged()),
    rss_url,
  )

  expect(
    await sql`select payload ->> 'video_id' as video_id from graphile_worker._private_jobs where key like 'download:%'`,
  ).toEqual([{ video_id: 'missed' }])
})

it('500 unchanged feeds need at most 60 statements', async () => {
  const addresses = await dueFeeds(500)
  const [arrived, all] = [new Set<string>(), Promise.withResolvers<void>()]
  const task = taskWith(async address => {
    arrived.add(address)
    if (arrived.size === addresses.length) all.resolve()
    await all.promise
    return unchanged()
  })

  const statements = await statementsOf(sql, () => Promise.all(addresses.map(address => run(task, address))))

  expect(await stillDue()).toEqual([])
  expect(statements.length).toBeLessThanOrEqual(60)
})

it('feeds of which some fail need few statements too, and each has its own sentence', async () => {
  const addresses = await dueFeeds(48)
  const task = taskWith(async address => {
    if (Number(/\d+/.exec(address)?.[0]) % 2 === 0) throw new Error('no')
    return unchanged()
  })

  const statements = await statementsOf(sql, () => Promise.all(addresses.map(address => run(task, address))))

  expect(await stillDue()).toEqual([])
  const failed = await sql`select rss_url from channels where fetch_failures = 1 and fetch_error is not null`
  expect(failed).toHaveLength(24)
  expect(statements.length).toBeLessThan(24)
})

it('a feed that hangs does not delay the saving of the others', async () => {
  const addresses = await dueFeeds(10)
  const hang = Promise.withResolvers<void>()
  const task = taskWith(async address => {
    if (address === addresses[3]) await hang.promise
    return unchanged()
  })

  const runs = addresses.map(address => run(task, address))
  await Promise.all(runs.toSpliced(3, 1))

  expect(await stillDue()).toEqual([addresses[3]])
  hang.resolve()
  await runs[3]
  expect(await stillDue()).toEqual([])
})

it('a feed that the database refuses fails alone', async () => {
  const addresses = await dueFeeds(6)
  const task = taskWith(async address => {
    // Text in Postgres has no NUL.
    return unchanged({ ...never_fetched, etag: address === addresses[2] ? '"\0"' : '"1"' })
  })

  await Promise.all(addresses.map(address => run(task, address)))

  expect(await stillDue()).toEqual([])
  const rows = await sql`select rss_url, etag, fetch_failures from channels order by rss_url`
  expect(rows.filter(({ fetch_failures }) => fetch_failures > 0)).toEqual([
    { rss_url: addresses[2], etag: null, fetch_failures: 1 },
  ])
  expect(rows.filter(({ etag }) => etag === '"1"')).toHaveLength(5)
})

it('two workers never fetch the same feed at the same time, however often feeds are queued', async () => {
  const addresses = await dueFeeds(150)
  const [now, times] = [new Set<string>(), new Map<string, number>()]
  const twice: string[] = []
  const fetchChanges: ChangeFetcher = async address => {
    if (now.has(address)) twice.push(address)
    now.add(address)
    times.set(address, (times.get(address) ?? 0) + 1)
    await new Promise(setImmediate)
    now.delete(address)
    return unchanged()
  }
  const parts = { ...idleParts(sql), fetchChanges, refresh_interval_minutes: 30 }
  const queue = () => queueDueFeeds(sql, { max_feeds: 500, apart_ms: 0 })
  const workers = await Promise.all([1, 2].map(() => startWorker(parts, { database_url, concurrency: 1 })))
  try {
    await queue()
    await vi.waitFor(async () => {
      await queue()
      expect(await stillDue()).toEqual([])
    })
  } finally {
    await Promise.all(workers.map(worker => worker.stop()))
  }
  expect(twice).toEqual([])
  expect([...times.values()].every(count => count === 1)).toBe(true)
  expect(times.size).toBe(addresses.length)
})

it('a worker that stops gives back the feeds that it has taken and not begun', async () => {
  await dueFeeds(200)
  let fetched = 0
  const fetchChanges: ChangeFetcher = async (_, __, signal) => {
    fetched += 1
    // Half of the feeds may begin after the worker has stopped.
    signal?.throwIfAborted()
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  }
  const parts = { ...idleParts(sql), fetchChanges, refresh_interval_minutes: 30 }
  const worker = await startWorker(parts, { database_url, concurrency: 1 })
  await queueDueFeeds(sql, { max_feeds: 500, apart_ms: 0 })
  await vi.waitFor(() => expect(fetched).toBeGreaterThan(6))
  await worker.stop()

  const [jobs] = await sql`
    select count(*) filter (where locked_at is not null)                         as locked,
           count(*) filter (where locked_at is null and attempts < max_attempts) as waiting,
           -- Also a job that began when the worker had stopped, which fetched nothing.
           count(*) filter (where last_error is not null)                        as begun
    from   graphile_worker._private_jobs
    where  payload ->> 'rss_url' is not null`
  const begun = Number(jobs?.begun)
  expect(jobs).toEqual({ locked: 0, waiting: 200 - begun, begun })
  expect(begun).toBeGreaterThanOrEqual(fetched)
  expect(begun).toBeLessThanOrEqual(2 * runners.feeds.jobs_at_once)
  expect(await stillDue()).toHaveLength(200)
})
