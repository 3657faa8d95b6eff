/** A pause of a host counts for all its feeds, in every worker; the pace of a feed counts after a failure too. */
import type { RequestListener } from 'node:http'
import type { JobHelpers } from 'graphile-worker'
import { beforeEach, expect, it } from 'vitest'
import { refreshFeedTask } from '../../../../jobs/tasks/feeds.ts'
import { queueDueFeeds } from '../../../../src/db/channels/everyone/feed-plans.ts'
import { recordRefusedFeed } from '../../../../src/db/channels/everyone/feeds.ts'
import { blockedFlags } from '../../../../src/db/downloads/everyone/hosts.ts'
import type { Everyone } from '../../../../src/db/everyone.ts'
import type { Queryable } from '../../../../src/db/postgres/client.ts'
import { createChangeFetcher } from '../../../../src/feed/fetch/fetch-feed.ts'
import { addressPolicy } from '../../../../src/net/addresses.ts'
import { silent } from '../../../support/app/app.ts'
import { useDatabase } from '../../../support/app/database.ts'
import { idleParts } from '../../../support/app/parts.ts'
import { type Person, person } from '../../../support/app/people.ts'
import { rowsRead } from '../../../support/app/rows-read.ts'
import { siteWith } from '../../../support/media/feed-site.ts'

const { sql } = useDatabase()
const fetchChanges = createChangeFetcher({
  policy: addressPolicy(['127.0.0.0/8']),
  limits: { max_redirects: 3 },
})
const parts = { sql, log: silent, fetchChanges, refresh_interval_minutes: 30 }
const pace = { max_feeds: 100, apart_ms: 0 }
const run = (rss_url: string, worker = refreshFeedTask(parts)) => worker({ rss_url }, {} as JobHelpers)
const minutesUntil = (date: Date | null | undefined) => ((date?.getTime() ?? 0) - Date.now()) / 60_000

beforeEach(async () => {
  await sql`delete from channels`
  await sql`delete from host_pauses`
  await sql`delete from host_looks`
  await sql`delete from graphile_worker._private_jobs`
})

async function follows({ library }: Person, rss_url: string, every_minutes: number | null = null): Promise<string> {
  const channel_id = new URL(rss_url).pathname
  await library.channels.save({ channel_id, title: channel_id, rss_url }, [])
  await sql`update channels set next_fetch_at = now(), every_minutes = ${every_minutes} where rss_url = ${rss_url}`
  return channel_id
}
const busy: RequestListener = (_, response) => response.writeHead(429, { 'retry-after': '3600' }).end()

it('all feeds of a host pause when two of them are refused', async () => {
  const site = await siteWith(busy)
  const alice = await person(sql, 'alice')
  const addresses = Array.from({ length: 30 }, (_, n) => `${site.url}/${n}`)
  for (const address of addresses) await follows(alice, address)
  const elsewhere = await siteWith(busy)
  await follows(alice, `${elsewhere.url}/other`)

  // Each in its own worker, as if their jobs had been queued before.
  for (const address of addresses) await run(address)

  expect(site.asked).toHaveLength(2)
  expect(await queueDueFeeds(sql, pace)).toBe(1)
  for (const { next_fetch_at } of (await alice.library.channels.list()).filter(({ rss_url }) =>
    addresses.includes(rss_url ?? ''),
  ))
    expect(minutesUntil(next_fetch_at)).toBeGreaterThan(4)
  expect(await blockedFlags(sql, idleParts(sql).host_limits)).toEqual([])
})

it('the feeds of a host are fetched again when its pause is over', async () => {
  const site = await siteWith(busy)
  const alice = await person(sql, 'alice')
  for (const n of [1, 2, 3]) await follows(alice, `${site.url}/${n}`)
  for (const n of [1, 2]) await run(`${site.url}/${n}`)

  await sql`update host_pauses set until = now()`

  expect(await queueDueFeeds(sql, pace)).toBe(1)
})

it.each([
  ['429 without a time', 429, {}, 14],
  ['503 with a time', 503, { 'retry-after': '1800' }, 29],
  ['429 with a time of years', 429, { 'retry-after': '99999999' }, 23 * 60],
])(
  'lets a host rest for minutes after %s, and the feed itself as long as it asks',
  async (_, status, headers, least) => {
    const site = await siteWith((_, response) => response.writeHead(status, headers).end())
    const alice = await person(sql, 'alice')
    await follows(alice, `${site.url}/a`)
    await follows(alice, `${site.url}/b`)
    await follows(alice, `${site.url}/c`)

    for (const name of ['a', 'b', 'c']) await run(`${site.url}/${name}`)

    expect(site.asked).toHaveLength(2)
    const [pause] = await sql`select until from host_pauses`
    expect(minutesUntil(pause?.until)).toBeCloseTo(5, 0)
    const itself = minutesUntil((await alice.library.channels.find('/a'))?.next_fetch_at)
    expect(itself).toBeGreaterThan(least)
    // Up to half an hour later, because fetches are spread.
    expect(itself).toBeLessThanOrEqual(25 * 60)
  },
)

it('a host does not pause because of a fault of one feed', async () => {
  const site = await siteWith((_, response) => response.writeHead(500).end())
  const alice = await person(sql, 'alice')
  await follows(alice, `${site.url}/a`)
  await follows(alice, `${site.url}/b`)

  await run(`${site.url}/a`)
  await run(`${site.url}/b`)

  expect(site.asked).toHaveLength(2)
})

it('a feed that fails is still fetched at the pace it asked for', async () => {
  const site = await siteWith((_, response) => response.writeHead(500).end())
  const alice = await person(sql, 'alice')
  const channel_id = await follows(alice, `${site.url}/weekly`, 12 * 60)

  await run(`${site.url}/weekly`)

  expect(minutesUntil((await alice.library.channels.find(channel_id))?.next_fetch_at)).toBeGreaterThan(12 * 60 - 1)
})

it('the state of a feed is not stored when its user has switched to another feed meanwhile', async () => {
  const alice = await person(sql, 'alice')
  let turn = async () => {}
  const site = await siteWith(async (_, response) => {
    await turn()
    const item = '<item><title>v</title><link>https://h.example/v</link></item>'
    response.setHeader('etag', '"of the former"').end(`<rss><channel><title>Old</title>${item}</channel></rss>`)
  })
  const channel_id = await follows(alice, `${site.url}/all`)
  turn = async () => void (await alice.library.channels.switchFeed(channel_id, `${site.url}/shorts`))

  await run(`${site.url}/all`)

  const [row] = await sql`select rss_url, title, etag, body_hash, next_fetch_at <= now() as is_due from channels`
  expect(row).toEqual({ rss_url: `${site.url}/shorts`, title: '/all', etag: null, body_hash: null, is_due: true })
})

it('a refused feed reads only channels of its own host', async () => {
  const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
  await sql`
    insert into channels (user_id, channel_id, title, rss_url, next_fetch_at)
    select ${bob.user.user_id}, 'c' || n, 'Channel', 'https://site' || n || '.example/feed', now()
    from   generate_series(1, 3000) as n`
  const rss_urls = ['https://busy.example/a', 'https://busy.example/b']
  for (const rss_url of rss_urls) await follows(alice, rss_url)
  await sql`analyze channels`
  const read = await rowsRead(sql, 'channels', async tx => {
    const inside = Object.assign(tx, { begin: (work: (tx: Queryable) => unknown) => work(tx) }) as unknown as Everyone
    for (const rss_url of rss_urls)
      await recordRefusedFeed(inside, { rss_url, host: 'busy.example', reason: 'It asked us to slow down.' })
  })
  expect(read.whole).toBe(0)
  expect(read.by_index).toBeLessThan(20)
  const pauses = await sql`select host from host_pauses`
  expect(pauses).toEqual([{ host: 'feeds:busy.example' }])
})
