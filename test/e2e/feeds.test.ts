/** Kills a worker in the middle of a pass over many feeds, and takes away their sites. */
import type { ServerResponse } from 'node:http'
import { expect, it, vi } from 'vitest'
import { queueDueFeeds } from '../../src/db/channels/everyone/feed-plans.ts'
import { useDatabase } from '../support/app/database.ts'
import { person } from '../support/app/people.ts'
import { siteWith } from '../support/media/feed-site.ts'
import { useOperator } from '../support/process/operator.ts'
import { letSilencePass, useService } from '../support/process/service.ts'

const db = useDatabase()
const { sql } = db
const service = useService(db)
const told = useOperator(service)

const item = (id: string) => `<item><title>${id}</title><link>https://h.example/${id}</link></item>`
const feed = `<rss><channel><title>Kitchen</title>${['v1', 'v2', 'v3'].map(item).join('')}</channel></rss>`

const dueAddresses = async () =>
  (await sql<{ rss_url: string }[]>`select rss_url from channels where next_fetch_at <= now() order by rss_url`).map(
    ({ rss_url }) => rss_url,
  )
const entriesOf = async () =>
  Object.fromEntries(
    (
      await sql<{ rss_url: string; count: number }[]>`
        select rss_url, count(entry.id)
        from   channels
        left join video_entries entry using (user_id, channel_id)
        group by rss_url`
    ).map(({ rss_url, count }) => [rss_url, count]),
  )

it('a worker that is killed has saved the feeds that answered; the others stay due, and no video is doubled', async () => {
  // Each is a host of its own, because of its port.
  const waiting: ServerResponse[] = []
  let is_hanging = true
  const quick = await Promise.all(Array.from({ length: 12 }, () => siteWith((_, response) => response.end(feed))))
  const slow = await Promise.all(
    Array.from({ length: 12 }, () =>
      siteWith((_, response) => (is_hanging ? waiting.push(response) : response.end(feed))),
    ),
  )
  const addressesOf = (sites: typeof quick) => sites.map(site => `${site.url}/feed`).toSorted()
  const all = [...addressesOf(quick), ...addressesOf(slow)]
  const { user } = await person(sql, 'alice')
  await sql`
    insert into channels (user_id, channel_id, title, rss_url, next_fetch_at)
    select ${user.user_id}, rss_url, rss_url, rss_url, now() from unnest(${all}::text[]) as rss_url`
  await queueDueFeeds(sql, { max_feeds: 300, apart_ms: 0 })
  const doomed = await service.worker()

  await vi.waitFor(async () => {
    expect(waiting).toHaveLength(slow.length)
    expect(await dueAddresses()).toEqual(addressesOf(slow))
  })
  await doomed.stop('SIGKILL')
  await letSilencePass(sql)

  expect(await dueAddresses()).toEqual(addressesOf(slow))
  is_hanging = false
  const other = await service.worker()
  await vi.waitFor(
    async () => {
      await sql`select graphile_worker.add_job('housekeeping', job_key := 'housekeeping of the test')`
      expect(await dueAddresses()).toEqual([])
    },
    { timeout: 90_000, interval: 500 },
  )
  await other.stop()

  expect(await entriesOf()).toMatchObject(Object.fromEntries(all.map(rss_url => [rss_url, 3])))
  expect(quick.map(({ asked }) => asked)).toEqual(quick.map(() => ['/feed']))
  expect(slow.map(({ asked }) => asked)).toEqual(slow.map(() => ['/feed', '/feed']))
})

/** Metrics are shared for some seconds. */
const patiently = { timeout: 90_000, interval: 500 }

it('while no site can be reached, health and metrics count the feeds that fail, and they are read when the sites are back', async () => {
  let is_away = true
  // Of one host, a third feed would wait for a minute.
  const site = () => siteWith((_, response) => (is_away ? response.destroy() : response.end(feed)))
  const addresses = (await Promise.all([site(), site(), site()])).map(({ url }) => `${url}/away`)
  await sql`
    insert into channels (user_id, channel_id, title, rss_url, next_fetch_at)
    select id, address, 'away', address, now()
    from   users, unnest(${addresses}::text[]) as address
    where  username = 'operator'`
  const check = () => queueDueFeeds(sql, { max_feeds: 300, apart_ms: 0 })
  await check()
  const worker = await service.worker()
  await vi.waitFor(
    async () => expect(await told()).toMatchObject({ failing: 3, metrics: { backlot_feeds_failing: 3 } }),
    patiently,
  )

  is_away = false
  await sql`update channels set next_fetch_at = now() where channel_id = any(${addresses})`
  await check()
  await vi.waitFor(
    async () =>
      expect(await told()).toMatchObject({ failing: 0, metrics: { backlot_feeds_failing: 0, backlot_feeds_due: 0 } }),
    patiently,
  )
  expect(await entriesOf()).toMatchObject(Object.fromEntries(addresses.map(address => [address, 3])))
  await worker.stop()
})
