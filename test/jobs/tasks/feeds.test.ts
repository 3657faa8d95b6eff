/** Scheduled refreshes, from the plan to what stands at the channels, against a site on this machine. */
import type { RequestListener } from 'node:http'
import type { JobHelpers } from 'graphile-worker'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { refreshFeedTask } from '../../../jobs/tasks/feeds.ts'
import { startWorker } from '../../../jobs/worker/main.ts'
import {
  forgetPlans,
  planFetches,
  queueDueFeeds,
  removeDeadJobs,
} from '../../../src/db/channels/everyone/feed-plans.ts'
import { followChannel, refreshChannel } from '../../../src/domain/channels/channels.ts'
import { bestOf, createDiscover, import_budget } from '../../../src/domain/channels/discovery.ts'
import { webSources } from '../../../src/domain/channels/feed-search.ts'
import { changeRule } from '../../../src/domain/rules/rules.ts'
import { createChangeFetcher, createFeedReader } from '../../../src/feed/fetch/fetch-feed.ts'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { RuleRequest } from '../../../src/schema/rules/rule.ts'
import { task_names } from '../../../src/schema/service/jobs.ts'
import { silent } from '../../support/app/app.ts'
import { useDatabase } from '../../support/app/database.ts'
import { idleParts } from '../../support/app/parts.ts'
import { type Person, person } from '../../support/app/people.ts'
import { siteWith } from '../../support/media/feed-site.ts'

const { sql, url: database_url } = useDatabase()
const edge = { policy: addressPolicy(['127.0.0.0/8']), limits: { timeout_ms: 5000, max_redirects: 3 } }
const readFeed = createFeedReader(edge)
const findFeed = bestOf(createDiscover(webSources(edge.policy), import_budget))
const parts = { sql, log: silent, fetchChanges: createChangeFetcher(edge), refresh_interval_minutes: 30 }

const feedOf = (...ids: string[]) => `<rss><channel><title>Kitchen</title>${ids.map(item).join('')}</channel></rss>`
const item = (id: string) =>
  `<item><title>${id}</title><link>https://h.example/${id}</link><description>About ${id}</description></item>`

const follow = async ({ library }: Person, address: string) =>
  (await followChannel(library, findFeed, address)).channel.channel_id
const due = () => sql`update channels set next_fetch_at = now()`
const run = async (address: string, task = refreshFeedTask(parts)) =>
  task({ rss_url: new URL(address).href }, {} as JobHelpers)
const runDue = (address: string) => due().then(() => run(address))
const rows = () => sql`select * from channels order by user_id, channel_id`
const minutesUntil = (date: Date | null | undefined) => ((date?.getTime() ?? 0) - Date.now()) / 60_000

let [alice, bob]: [Person, Person] = [{} as Person, {} as Person]
beforeEach(async () => {
  await sql`delete from channels`
  await sql`delete from graphile_worker._private_jobs`
  ;[alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
})

describe('the schedule', () => {
  it('a new channel is planned for one interval later, and the plans are deleted when refreshing is off', async () => {
    const site = await siteWith((_, response) => response.end(feedOf('v1')))
    await follow(alice, site.url)
    expect((await rows())[0]?.next_fetch_at).toBeNull()

    await planFetches(sql, 30)
    const [planned] = await rows()
    expect(minutesUntil(planned?.next_fetch_at)).toBeGreaterThan(26)
    expect(minutesUntil(planned?.next_fetch_at)).toBeLessThan(34)
    await planFetches(sql, 30)
    expect((await rows())[0]?.next_fetch_at).toEqual(planned?.next_fetch_at)

    await forgetPlans(sql)
    expect((await rows())[0]?.next_fetch_at).toBeNull()
  })

  it('one job is queued for an address, however many people follow it', async () => {
    const site = await siteWith((_, response) => response.end(feedOf('v1')))
    for (const name of ['alice', 'bob']) await follow(await person(sql, name), site.url)
    await follow(await person(sql, 'carol'), `${site.url}/other`)
    expect(await queueDueFeeds(sql, { max_feeds: 10, apart_ms: 0 })).toBe(0)

    await due()
    expect(await queueDueFeeds(sql, { max_feeds: 10, apart_ms: 0 })).toBe(2)
    expect(await queueDueFeeds(sql, { max_feeds: 10, apart_ms: 0 })).toBe(0)
    await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'somebody', attempts = 1`
    expect(await queueDueFeeds(sql, { max_feeds: 10, apart_ms: 0 })).toBe(0)
  })

  it('a feed whose worker died is queued again', async () => {
    const site = await siteWith((_, response) => response.end(feedOf('v1')))
    await follow(alice, site.url)
    await due()
    await queueDueFeeds(sql, { max_feeds: 10, apart_ms: 0 })
    await sql`update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'its worker died'`
    await removeDeadJobs(sql)
    expect(await queueDueFeeds(sql, { max_feeds: 10, apart_ms: 0 })).toBe(1)
    expect(await sql`select attempts from graphile_worker.jobs`).toEqual([{ attempts: 0 }])
  })

  it('jobs without another attempt are removed after a day, whatever their task is, and no others', async () => {
    for (const task of [...task_names, 'of-a-later-version']) {
      await sql`select graphile_worker.add_job(${task}, max_attempts := 3)`
      await sql`update graphile_worker._private_jobs set attempts = max_attempts, updated_at = now() - interval '25 hours'`
    }
    await sql`select graphile_worker.add_job('download', job_key := 'waits')`
    await sql`select graphile_worker.add_job('update-media', job_key := 'failed today')`
    await sql`update graphile_worker._private_jobs set attempts = max_attempts where key = 'failed today'`
    await removeDeadJobs(sql)
    expect(await sql`select key from graphile_worker.jobs order by key`).toEqual([
      { key: 'failed today' },
      { key: 'waits' },
    ])
  })

  it('requests to one host are spread out, and no host delays another', async () => {
    const site = await siteWith((_, response) => response.end(feedOf('v1')))
    for (const path of ['a', 'b', 'c']) await follow(alice, `http://127.0.0.1:${site.port}/${path}`)
    const other = await siteWith((_, response) => response.end(feedOf('v1')))
    await follow(alice, `http://127.0.0.1:${other.port}/d`)
    await due()
    await queueDueFeeds(sql, { max_feeds: 2, apart_ms: 60_000 })
    const jobs = await sql`
      select   payload ->> 'rss_url' as rss_url, extract(epoch from run_at - now())::int > 30 as later
      from     graphile_worker._private_jobs`
    expect(jobs).toHaveLength(3)
    expect(jobs.filter(({ later }) => later)).toHaveLength(1)
    expect(jobs.filter(({ rss_url }) => rss_url.includes(`:${other.port}/`))).toEqual([
      { rss_url: expect.any(String), later: false },
    ])
  })
})

describe('one fetch', () => {
  it('one fetch serves everyone who follows the address, and the next one asks for news only', async () => {
    let body = feedOf('v1')
    const asked: (string | undefined)[] = []
    const site = await siteWith((request, response) => {
      asked.push(request.headers['if-none-match'])
      const etag = `"${body.length}"`
      if (request.headers['if-none-match'] === etag) return response.writeHead(304).end()
      response.setHeader('etag', etag).end(body)
    })
    const ids = [await follow(alice, site.url), await follow(bob, site.url)]
    asked.length = 0

    body = feedOf('v1', 'v2')
    await runDue(site.url)
    await runDue(site.url)

    expect(asked).toEqual([undefined, `"${body.length}"`])
    for (const [n, { library }] of [alice, bob].entries())
      expect(await library.channels.find(ids[n] ?? '')).toMatchObject({ entry_count: 2, fetch_error: null })
    const [hers, his] = await rows()
    expect(hers?.next_fetch_at).toEqual(his?.next_fetch_at)
    expect(minutesUntil(hers?.next_fetch_at)).toBeGreaterThan(26)
  })

  it('a fetch is unconditional when a new follower has not seen what the others have', async () => {
    const asked: (string | undefined)[] = []
    const site = await siteWith((request, response) => {
      asked.push(request.headers['if-none-match'])
      response.setHeader('etag', '"1"').end(feedOf('v1'))
    })
    // Whoever is asked first knows it; whether the others do counts as well.
    const people = await Promise.all(['alice', 'bob'].map(name => person(sql, name)))
    const [first, second] = people.toSorted((a, b) => (a.user.user_id < b.user.user_id ? -1 : 1)) as [Person, Person]
    await follow(first, site.url)
    await runDue(site.url)
    await follow(second, site.url)
    for (const _ of [1, 2]) await runDue(site.url)
    expect(asked).toEqual([undefined, undefined, undefined, undefined, '"1"'])
  })

  it('a job does nothing when the address is not due, or has no followers', async () => {
    const site = await siteWith((_, response) => response.end(feedOf('v1')))
    const channel_id = await follow(alice, site.url)
    await run(site.url)
    await alice.library.channels.remove(channel_id)
    await run(site.url)
    expect(site.asked).toHaveLength(1)
  })

  it('a channel that was unfollowed meanwhile is not followed again', async () => {
    let hers = ''
    const site = await siteWith(async (_, response) => {
      if (hers !== '') await alice.library.channels.remove(hers)
      response.end(feedOf('v1', 'v2'))
    })
    await follow(bob, site.url)
    hers = await follow(alice, site.url)
    await runDue(site.url)
    expect(await alice.library.channels.list()).toEqual([])
    expect(await bob.library.channels.list()).toMatchObject([{ entry_count: 2, fetch_error: null }])
  })

  it('entries that left the feed stay, and descriptions stay whole', async () => {
    const long = 'word '.repeat(9000).trim()
    let body = feedOf('v1', 'v2').replace('About v1', long)
    const site = await siteWith((_, response) => response.end(body))
    await follow(alice, site.url)
    body = feedOf('v3')
    await runDue(site.url)
    const { entries } = await alice.library.videos.list({ limit: 10 })
    expect(entries.map(({ title }) => title).toSorted()).toEqual(['v1', 'v2', 'v3'])
    expect(entries.find(({ title }) => title === 'v1')?.description).toBe(long)
  })

  it('at most two feeds of one host are fetched at once, and the others stay due', async () => {
    let [now, most] = [0, 0]
    const waiting: (() => void)[] = []
    let slow = false
    const site = await siteWith((_, response) => {
      most = Math.max(most, ++now)
      const answer = () => {
        now--
        response.end(feedOf('v1'))
      }
      if (slow) waiting.push(answer)
      else answer()
    })
    const addresses = ['a', 'b', 'c', 'd'].map(path => `${site.url}/${path}`)
    for (const address of addresses) await follow(alice, address)
    await due()
    ;[slow, most] = [true, 0]

    const task = refreshFeedTask(parts)
    const runs = addresses.map(address => run(address, task))
    await vi.waitFor(() => expect(waiting).toHaveLength(2))
    for (const answer of waiting) answer()
    await Promise.all(runs)

    expect(most).toBe(2)
    const [left] = await sql`select count(*) as count from channels where next_fetch_at <= now()`
    expect(left?.count).toBe(2)
  })
})

describe('a feed that fails', () => {
  const answers: Record<string, [RequestListener, RegExp, least_minutes: number]> = {
    'with 404': [(_, response) => response.writeHead(404).end(), /Not found \(404\)/, 27],
    'with 410': [(_, response) => response.writeHead(410).end(), /Not found \(410\)/, 27],
    'with 500': [(_, response) => response.writeHead(500).end(), /has a problem \(500\)/, 27],
    'with 429 and a wish': [
      (_, response) => response.writeHead(429, { 'retry-after': '7200' }).end(),
      /slow down/,
      120,
    ],
    'with 503 until a date': [
      (_, response) =>
        response.writeHead(503, { 'retry-after': new Date(Date.now() + 3 * 3_600_000).toUTCString() }).end(),
      /has a problem \(503\)/,
      179,
    ],
    'in a circle': [(_, response) => response.writeHead(302, { location: '/' }).end(), /too many times/, 27],
    'in silence': [() => {}, /did not answer/, 27],
    'in the middle': [
      (_, response) => {
        response.writeHead(200, { 'content-length': '5000' }).write('<rss>')
        setImmediate(() => response.destroy())
      },
      /broke off/,
      27,
    ],
    'as another page': [(_, response) => response.end('<html>Domain for sale</html>'), /not a feed/, 27],
  }

  it.each(Object.entries(answers))('%s keeps everything, says why, and is put off', async (_, [answer, why, least]) => {
    let failing = false
    const site = await siteWith((request, response) => {
      if (failing) answer(request, response)
      else response.end(feedOf('v1', 'v2'))
    })
    const channel_id = await follow(alice, site.url)
    const before = await alice.library.channels.find(channel_id)
    failing = true
    await runDue(site.url)

    const after = await alice.library.channels.find(channel_id)
    expect(after).toMatchObject({ last_fetched_at: before?.last_fetched_at, entry_count: 2 })
    expect(after?.fetch_error).toMatch(why)
    expect(after?.failing_since).toBeInstanceOf(Date)
    expect(minutesUntil(after?.next_fetch_at)).toBeGreaterThan(least - 0.5)
    expect(minutesUntil(after?.next_fetch_at)).toBeLessThan(least * 1.25)
  })

  it('a feed that keeps failing is fetched less and less often, at least daily, and recovers at once', async () => {
    let failing = false
    const site = await siteWith((_, response) =>
      failing ? response.writeHead(500).end() : response.end(feedOf('v1', 'v2')),
    )
    const channel_id = await follow(alice, site.url)
    failing = true
    const pauses: number[] = []
    const since: (number | undefined)[] = []
    for (let n = 0; n < 9; n++) {
      await runDue(site.url)
      const channel = await alice.library.channels.find(channel_id)
      pauses.push(minutesUntil(channel?.next_fetch_at))
      since.push(channel?.failing_since?.getTime())
    }
    expect(pauses.slice(0, 6).every((pause, n) => Math.abs(pause / (30 * 2 ** n) - 1) < 0.11)).toBe(true)
    expect(pauses.slice(6).every(pause => pause > 0.89 * 1440 && pause <= 1440)).toBe(true)
    expect(new Set(since).size).toBe(1)

    failing = false
    await runDue(site.url)
    const forgiven = await alice.library.channels.find(channel_id)
    expect(forgiven).toMatchObject({ fetch_error: null, failing_since: null })
    expect(minutesUntil(forgiven?.next_fetch_at)).toBeLessThan(34)
  })

  it('a page in place of a feed is not followed to the feed it names, by hand or by schedule', async () => {
    let parked = false
    const names = '<html><head><link rel="alternate" type="application/rss+xml" href="/spam.xml"></head></html>'
    const site = await siteWith((_, response) => response.end(parked ? names : feedOf('v1')))
    const channel_id = await follow(alice, `${site.url}/feed`)
    parked = true
    const refresh = refreshChannel(alice.library, readFeed, channel_id)
    await expect(refresh).rejects.toMatchObject({ code: 'not_a_feed', message: expect.stringContaining('not a feed') })
    await runDue(`${site.url}/feed`)

    expect(site.asked).toEqual(['/feed', '/feed', '/feed'])
    const kept = await alice.library.channels.find(channel_id)
    expect(kept).toMatchObject({ title: 'Kitchen', entry_count: 1, fetch_error: expect.stringContaining('not a feed') })
  })

  it('a feed that fails by our own fault is postponed, with a sentence without details', async () => {
    const site = await siteWith((_, response) => response.end(feedOf('v1')))
    const channel_id = await follow(alice, site.url)
    await due()
    const fetchChanges = async () => {
      throw new TypeError('undefined is not a function')
    }
    await run(site.url, refreshFeedTask({ ...parts, fetchChanges }))
    const channel = await alice.library.channels.find(channel_id)
    expect(channel?.fetch_error).toMatch(/could not read or save/)
    expect(minutesUntil(channel?.next_fetch_at)).toBeGreaterThan(26)
  })
})

it.each(['a feed with news', 'an unchanged feed'])(
  'a rule that the database refuses fails for its own person only, at %s',
  async news => {
    const site = await siteWith((_, response) => response.end(feedOf('v1')))
    const people = [await person(sql, 'alice'), await person(sql, 'bob'), await person(sql, 'carol')]
    const ids = new Map<Person, string>()
    for (const someone of people) {
      const channel_id = await follow(someone, site.url)
      ids.set(someone, channel_id)
      await changeRule(someone.library, channel_id, RuleRequest.parse({ auto_download: true }))
    }
    await due()
    if (news === 'an unchanged feed') await run(site.url)
    // As if a worker had died before it applied the rules.
    await sql`
      update channel_rules
      set    on_since = now() - interval '1 day', judge_from = 'infinity', judge_to = '-infinity'`
    await sql`update channels set created_at = now() - interval '1 day'`
    await due()
    // Jobs follow the order of the identifiers, so the first person is refused.
    const [unlucky] = people.toSorted((one, other) => (one.user.user_id < other.user.user_id ? -1 : 1)) as [Person]
    await sql.unsafe(
      `alter table video_entries add constraint refused
     check (user_id <> '${unlucky.user.user_id}' or download_asked_by is null) not valid`,
    )
    try {
      await run(site.url)
    } finally {
      await sql`alter table video_entries drop constraint refused`
    }

    for (const someone of people) {
      const channel = await someone.library.channels.find(ids.get(someone) ?? '')
      const [video] = (await someone.library.videos.list({ limit: 1 })).entries
      expect({ fetch_error: channel?.fetch_error, queued: video?.queued }).toEqual(
        someone === unlucky
          ? { fetch_error: expect.stringMatching(/could not read or save/), queued: false }
          : { fetch_error: null, queued: true },
      )
      expect(minutesUntil(channel?.next_fetch_at)).toBeGreaterThan(26)
    }
  },
)

describe('rounds without news', () => {
  it('checks without news write only the times of 144 channels', async () => {
    const answer: RequestListener = (request, response) => {
      if (request.headers['if-none-match']) return response.writeHead(304).end()
      // Half of them give no validators and are told by their bytes.
      if (Number(request.url?.slice(2)) % 2 === 0) response.setHeader('etag', '"1"')
      response.end(feedOf(...Array.from({ length: 15 }, (_, n) => `v${n}`)))
    }
    // All feeds are checked at the same moment, so that the reads and saves of many are made in common.
    const sites = await Promise.all(Array.from({ length: 24 }, () => siteWith(answer)))
    const addresses = Array.from({ length: 48 }, (_, n) => `${sites[n % sites.length]?.url}/c${n}`)
    for (const name of ['alice', 'bob', 'carol']) {
      const someone = await person(sql, name)
      for (const address of addresses) await follow(someone, address)
      // As autovacuum does within a minute. With the statistics of earlier tests, each save takes longer than the one before.
      await sql`analyze video_entries, channels`
    }
    const fetchChanges = createChangeFetcher({ policy: edge.policy })
    const task = refreshFeedTask({ ...parts, fetchChanges })
    const round = async () => {
      await due()
      const lane = async (left: string[]) => {
        for (let address = left.pop(); address; address = left.pop()) await run(address, task)
      }
      // As many at once as one host allows.
      const lanes = sites.flatMap(({ url }) => {
        const left = addresses.filter(address => address.startsWith(`${url}/`))
        return [lane(left), lane(left)]
      })
      await Promise.all(lanes)
    }
    await round()
    const entries = () => sql`select id, xmin, xmax, ctid from video_entries order by id`
    const others = () =>
      sql`select id, user_id, channel_id, title, rss_url, etag, last_modified, body_hash from channels order by id`
    const [entries_before, others_before] = [await entries(), await others()]
    for (const { asked } of sites) asked.length = 0

    for (let n = 0; n < 4; n++) await round()

    expect(sites.flatMap(({ asked }) => asked)).toHaveLength(4 * addresses.length)
    expect(entries_before).toHaveLength(3 * addresses.length * 15)
    expect(await entries()).toEqual(entries_before)
    expect(await others()).toEqual(others_before)
    const [stale] = await sql`select count(*) as count from channels where next_fetch_at <= now()`
    expect(stale?.count).toBe(0)
  })
})

it('housekeeping and a worker bring a new video without any request from a person', async () => {
  let body = feedOf('v1')
  const site = await siteWith((_, response) => response.end(body))
  const channel_id = await follow(alice, site.url)
  body = feedOf('v1', 'v2')
  await due()
  const all = { ...idleParts(sql), ...parts, readFeed }
  const worker = await startWorker(all, { database_url, concurrency: 1 })
  try {
    await sql`select graphile_worker.add_job('housekeeping')`
    await vi.waitFor(
      async () => expect(await alice.library.channels.find(channel_id)).toMatchObject({ entry_count: 2 }),
      { interval: 50 },
    )
  } finally {
    await worker.stop()
  }
})
