/** Subscriptions from the feed that names a hub to the end, against a real hub and the app's real callback. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { housekeepingTask, queuePushes } from '../../../jobs/tasks/housekeeping.ts'
import { removeDeadJobs } from '../../../src/db/channels/everyone/feed-plans.ts'
import { queueHubRequests } from '../../../src/db/push/everyone/push-plans.ts'
import { beginRequest, useHubs } from '../../../src/db/push/everyone/push-subscriptions.ts'
import { pushSettings } from '../../../src/domain/push/hubs.ts'
import { useApp } from '../../support/app/app.ts'
import { type Person, person } from '../../support/app/people.ts'
import { feedWithHub, pushingParts, pushTasks, served } from '../../support/app/pushed.ts'
import { siteWith } from '../../support/media/feed-site.ts'

const app = useApp()
const { sql } = app

beforeEach(async () => {
  await sql`delete from channels`
  await sql`delete from push_subscriptions`
  await sql`delete from graphile_worker._private_jobs`
  await sql`delete from host_pauses`
})

const rows = () => sql`select * from push_subscriptions`
const row = async () => (await rows())[0]
const follow = ({ library }: Person, rss_url: string) =>
  library.channels.save({ channel_id: 'kitchen', title: 'Kitchen', rss_url }, [])
const dueAgain = () => sql`update push_subscriptions set next_attempt_at = now()`
const waiting = async () =>
  (
    await sql<{ push_id: string }[]>`
    select payload ->> 'push_id' as push_id from graphile_worker._private_jobs where key like 'subscribe:%'`
  ).map(({ push_id }) => push_id)
const minutesUntil = (date: Date) => (date.getTime() - Date.now()) / 60_000

/** Alice follows a feed that names a hub. */
async function followed(options: Parameters<typeof feedWithHub>[0] = {}) {
  const site = await feedWithHub(options)
  const public_url = await served(app.app)
  const parts = pushingParts(sql, public_url)
  const tasks = pushTasks(parts)
  const alice = await person(sql, 'alice')
  await follow(alice, site.rss_url)
  const check = async () => {
    await sql`update channels set next_fetch_at = now()`
    await tasks.refresh(site.rss_url)
  }
  await check()
  /** Housekeeping, and the requests that it queues. */
  const keep = async (with_parts = parts) => {
    await queuePushes(with_parts)
    for (const push_id of await waiting()) await pushTasks(with_parts).subscribe(push_id)
    await sql`delete from graphile_worker._private_jobs where key like 'subscribe:%'`
  }
  const keepVerified = async (nth: number) => {
    await keep()
    await verified(site.hub, nth)
  }
  return { ...site, public_url, parts, tasks, alice, check, keep, keepVerified }
}
const verified = (hub: { seen: { verified?: number }[] }, nth: number) =>
  vi.waitFor(() => expect(hub.seen[nth]?.verified).toBe(200))

describe('a feed that names a hub', () => {
  it.each([false, true])('is subscribed to; the hub verifies before its answer: %s', async verifies_first => {
    const { hub, topic, public_url, keepVerified } = await followed({ verifies_first })
    expect(await row()).toMatchObject({ state: 'pending', hub: hub.url, topic, callback: null })
    await keepVerified(0)

    const { push_id, secret, state, next_attempt_at, callback } = (await row()) ?? {}
    expect(hub.seen.map(({ fields }) => fields)).toEqual([
      {
        'hub.mode': 'subscribe',
        'hub.topic': topic,
        'hub.callback': `${public_url}/push/${push_id}`,
        'hub.verify': 'async',
        'hub.lease_seconds': '864000',
        'hub.secret': secret,
      },
    ])
    expect(callback).toBe(`${public_url}/push/${push_id}`)
    expect(Buffer.byteLength(secret)).toBeLessThan(200)
    expect(state).toBe('active')
    // Half of the lease of 828,000 seconds that this hub grants at most.
    expect(minutesUntil(next_attempt_at)).toBeCloseTo(6900, 0)
  })

  it('is subscribed to once for all its followers, and not again at the next checks', async () => {
    const { hub, feed, keep, check, rss_url, keepVerified } = await followed()
    await follow(await person(sql, 'bob'), rss_url)
    await keepVerified(0)
    for (const video of ['v02', 'v03']) {
      feed.videos.unshift(video)
      await check()
      await keep()
    }
    expect(hub.seen).toHaveLength(1)
    expect(await rows()).toHaveLength(1)
  })

  it('is renewed at half of the lease, and deliveries count meanwhile', async () => {
    const { hub, keep, topic, keepVerified } = await followed()
    await keepVerified(0)
    const { push_id, active_since } = (await row()) ?? {}
    await sql`update push_subscriptions set next_attempt_at = now(), lease_until = now() + interval '1 hour'`
    hub.answer((_, response) => response.writeHead(202).end())
    await keep()
    expect(await row()).toMatchObject({ state: 'active', push_id })
    expect(await hub.publish(topic, 'x')).toEqual([202])
    hub.answer(undefined)
    await dueAgain()
    await keepVerified(1)
    expect(hub.seen[1]?.fields).toEqual(hub.seen[0]?.fields)
    expect(minutesUntil((await row())?.lease_until)).toBeGreaterThan(60)
    expect((await row())?.active_since).toEqual(active_since)
  })

  it('changes its hub: the former one gets 410', async () => {
    const { hub, feed, keep, check, topic, keepVerified } = await followed()
    await keepVerified(0)
    const before = await row()
    const other = await feedWithHub()
    feed.hub = other.hub.url
    feed.videos.unshift('v02')
    await check()
    expect(await hub.publish(topic, 'x')).toEqual([410])
    // A feed that names another hub each time causes a request an hour.
    expect(minutesUntil((await row())?.next_attempt_at)).toBeCloseTo(60, 0)
    await dueAgain()
    await keep()
    await verified(other.hub, 0)
    const { push_id, secret } = (await row()) ?? {}
    expect(push_id).not.toBe(before?.push_id)
    expect(secret).not.toBe(before?.secret)
  })

  it('names no hub any more: the subscription is ended at the hub, and forgotten', async () => {
    const { hub, feed, check, keepVerified } = await followed()
    await keepVerified(0)
    feed.hub = undefined
    feed.videos.unshift('v02')
    await check()
    await keepVerified(1)
    expect(hub.seen[1]?.fields).toMatchObject({ 'hub.mode': 'unsubscribe' })
    expect(hub.seen[1]?.fields['hub.secret']).toBeUndefined()
    expect(hub.subscriptions.size).toBe(0)
    expect(await rows()).toEqual([])
  })
})

describe('a channel of YouTube', () => {
  const rss_url = `https://www.youtube.com/feeds/videos.xml?channel_id=UC${'a'.repeat(22)}`
  const youtube = 'https://pubsubhubbub.appspot.com/subscribe'
  const settings = { PUBLIC_URL: 'https://tv.example.org', REFRESH_INTERVAL_MINUTES: 30, ALLOWED_ADDRESSES: [] }
  /** A worker whose checks of feeds fail. */
  const parts = () => ({ ...pushingParts(sql, 'http://127.0.0.1'), push: pushSettings(settings) })

  it('is subscribed to within a minute of being followed, before its feed is checked', async () => {
    for (const name of ['alice', 'bob']) await follow(await person(sql, name), rss_url)
    await housekeepingTask(parts())({}, {} as never)
    expect(await rows()).toMatchObject([{ rss_url, hub: youtube, topic: rss_url, state: 'pending' }])
    expect(await waiting()).toEqual([(await row())?.push_id])
  })

  it('that another person follows later keeps its subscription', async () => {
    await follow(await person(sql, 'alice'), rss_url)
    await housekeepingTask(parts())({}, {} as never)
    const before = await rows()
    await follow(await person(sql, 'bob'), rss_url)
    await housekeepingTask(parts())({}, {} as never)
    expect(await rows()).toEqual(before)
  })

  it('gets no subscription while push is off, and feeds elsewhere wait for their first check', async () => {
    const alice = await person(sql, 'alice')
    await follow(alice, rss_url)
    await housekeepingTask({ ...parts(), push: undefined })({}, {} as never)
    expect(await rows()).toEqual([])
    await alice.library.channels.save({ channel_id: 'other', title: 'c', rss_url: 'https://h.example/feed' }, [])
    await housekeepingTask(parts())({}, {} as never)
    expect(await rows()).toEqual([])
  })
})

describe('a feed that no one follows any more', () => {
  it('is unsubscribed from when its last follower has left, and forgotten once the hub agrees', async () => {
    const { hub, keep, alice, rss_url, keepVerified } = await followed()
    const bob = await person(sql, 'bob')
    await follow(bob, rss_url)
    await keepVerified(0)
    await alice.library.channels.remove('kitchen')
    await keep()
    expect(hub.seen).toHaveLength(1)
    await bob.library.channels.remove('kitchen')
    await keepVerified(1)
    expect(hub.subscriptions.size).toBe(0)
    expect(await rows()).toEqual([])
  })

  it('is forgotten although the hub does not answer, after two requests; the hub then gets 410', async () => {
    const { hub, keep, alice, topic, keepVerified } = await followed()
    await keepVerified(0)
    await alice.library.channels.remove('kitchen')
    hub.answer((_, response) => response.writeHead(500).end())
    for (const _ of [1, 2, 3]) {
      await keep()
      await dueAgain()
    }
    expect(await rows()).toEqual([])
    expect(await hub.publish(topic, 'x')).toEqual([410])
    expect(hub.subscriptions.size).toBe(0)
  })

  it('gets a new subscription when it is followed again before the old one has ended', async () => {
    const { hub, keep, check, alice, rss_url, keepVerified } = await followed()
    await keepVerified(0)
    await alice.library.channels.remove('kitchen')
    await queuePushes({ ...pushingParts(sql, 'http://127.0.0.1'), refresh_interval_minutes: 30 })
    expect(await row()).toMatchObject({ state: 'ending' })
    await follow(alice, rss_url)
    await check()
    await dueAgain()
    await keep()
    await vi.waitFor(async () => expect(await row()).toMatchObject({ state: 'active' }))
    expect(hub.seen.at(-1)?.fields).toMatchObject({ 'hub.mode': 'subscribe' })
  })
})

describe('a worker that dies', () => {
  it('after the request was saved and before it was sent: the request is sent later', async () => {
    const { hub, keep, parts, keepVerified } = await followed()
    await queuePushes(parts)
    const [push_id = ''] = await waiting()
    await beginRequest(sql, push_id, parts.push?.callbacks ?? '')
    // The worker is gone. Its job ends, and nothing is due for a while.
    await sql`update graphile_worker._private_jobs set attempts = max_attempts`
    await removeDeadJobs(sql)
    await keep()
    expect(hub.seen).toEqual([])
    expect(minutesUntil((await row())?.next_attempt_at)).toBeCloseTo(15, 0)

    await dueAgain()
    await keepVerified(0)
    expect(await row()).toMatchObject({ state: 'active', failures: 0 })
  })

  it('before it began: the job is queued again', async () => {
    const { parts, keepVerified } = await followed()
    await queuePushes(parts)
    await queuePushes(parts)
    expect(await waiting()).toHaveLength(1)
    await sql`update graphile_worker._private_jobs set attempts = max_attempts`
    await housekeepingTask(parts)({}, {} as never)
    expect(await waiting()).toHaveLength(1)
    await keepVerified(0)
  })

  it('two jobs for one subscription send one request', async () => {
    const { hub, tasks } = await followed()
    const { push_id } = (await row()) ?? {}
    await Promise.all([tasks.subscribe(push_id), tasks.subscribe(push_id), tasks.subscribe(push_id)])
    await verified(hub, 0)
    expect(hub.seen).toHaveLength(1)
  })
})

describe('a hub that refuses', () => {
  it('with an error is tried again after 15 minutes, then half an hour, up to a day', async () => {
    const { hub, keep, keepVerified } = await followed()
    hub.answer((_, response) => response.writeHead(500).end())
    const waits: number[] = []
    for (let nth = 0; nth < 9; nth++) {
      await keep()
      waits.push(Math.round(minutesUntil((await row())?.next_attempt_at)))
      await dueAgain()
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 480, 960, 1440, 1440])
    expect(await row()).toMatchObject({ state: 'failed' })
    hub.answer(undefined)
    await keepVerified(0)
    expect(await row()).toMatchObject({ state: 'active', failures: 0 })
  })

  it('with 429 is left alone by all feeds for as long as it asks', async () => {
    const { hub, keep } = await followed()
    await sql`
      insert into push_subscriptions (push_id, rss_url, hub, topic, secret)
      select ${'y'.repeat(32)}, rss_url || 'other', hub, topic, secret from push_subscriptions`
    await sql`insert into channels (user_id, channel_id, title, rss_url)
              select user_id, 'other', 'other', rss_url || 'other' from channels`
    let requests = 0
    hub.answer((_, response) => {
      requests += 1
      response.writeHead(429, { 'retry-after': '7200' }).end()
    })
    await keep()
    await keep()
    expect(requests).toBe(1)
    for (const { next_attempt_at } of await rows()) expect(minutesUntil(next_attempt_at)).toBeCloseTo(120, 0)
  })

  it('a paused host gets no request', async () => {
    const { hub, keep } = await followed()
    await sql`
      insert into host_pauses (host, until, reason)
      values (${`feeds:127.0.0.1:${hub.port}`}, now() + interval '1 hour', 'it asked for fewer requests')`
    await keep()
    expect(hub.seen).toEqual([])
  })

  it('without a word: a request that is never verified is repeated', async () => {
    const { hub, keep, keepVerified } = await followed()
    hub.answer((_, response) => response.writeHead(202).end())
    await keep()
    expect(await row()).toMatchObject({ state: 'pending', failures: 1 })
    hub.answer(undefined)
    await dueAgain()
    await keepVerified(0)
    expect(await row()).toMatchObject({ state: 'active' })
  })

  it('later denies the subscription: the feed is checked at the usual pace again', async () => {
    const { hub, check, topic, parts, tasks, rss_url, feed, keepVerified } = await followed()
    await keepVerified(0)
    await sql`update push_subscriptions set streak = 5, active_since = now() - interval '1 day'`
    await check()
    const slow = (await sql`select next_fetch_at from channels`)[0]?.next_fetch_at
    expect(minutesUntil(slow)).toBeGreaterThan(60)
    const { callback } = (await row()) ?? {}
    expect(await hub.deny(topic, callback)).toBe(200)
    await queuePushes(parts)
    expect(minutesUntil((await sql`select next_fetch_at from channels`)[0]?.next_fetch_at)).toBeLessThanOrEqual(30)
    expect(await row()).toMatchObject({ state: 'denied', streak: 0 })
    feed.videos.unshift('v02')
    await tasks.refresh(rss_url)
    expect(await hub.publish(topic, 'x')).toEqual([410])
  })

  it('a lease that could not be renewed ends: deliveries get 410, and the feed is checked at the usual pace', async () => {
    const { hub, topic, parts, keepVerified } = await followed()
    await keepVerified(0)
    await sql`update push_subscriptions set lease_until = now(), streak = 2`
    await sql`update channels set next_fetch_at = now() + interval '10 hours'`
    await queuePushes(parts)
    expect(await row()).toMatchObject({ state: 'failed', streak: 0 })
    expect(minutesUntil((await sql`select next_fetch_at from channels`)[0]?.next_fetch_at)).toBeLessThanOrEqual(30)
    expect(await hub.publish(topic, 'x')).toEqual([410])
  })
})

describe('a feed that names a hub it should not', () => {
  it('a hub at an inside address gets no request', async () => {
    const inside = await siteWith((_, response) => response.writeHead(202).end())
    const { feed, keep, check, parts, rss_url } = await followed()
    const outside = {
      ...parts,
      push: { callbacks: 'https://tv.example.org/push/', usable: (hub: { hub: string; topic: string }) => hub },
    }
    for (const hub of [
      'http://10.0.0.1/',
      'http://169.254.169.254/',
      'http://localhost/',
      `http://localhost:${inside.port}/`,
    ]) {
      feed.hub = hub
      feed.videos.unshift('v02')
      await sql`update channels set next_fetch_at = now(), etag = null, body_hash = null`
      await pushTasks(outside).refresh(rss_url)
      await dueAgain()
      await keep(outside)
      expect(await row()).toMatchObject({ hub, state: 'failed' })
    }
    expect(inside.asked).toEqual([])
    await check()
    expect(inside.asked).toEqual([])
  })

  it('a hub that redirects to an inside address fails, and the address gets no request', async () => {
    const inside = await siteWith((_, response) => response.writeHead(202).end())
    const { hub, keep } = await followed()
    hub.answer((_, response) => response.writeHead(307, { location: `http://localhost:${inside.port}/` }).end())
    await keep()
    expect(await row()).toMatchObject({ state: 'failed' })
    expect(inside.asked).toEqual([])
  })

  it('a hub on the internet gets no request while PUBLIC_URL is not a public https address', async () => {
    const { feed, check } = await followed()
    feed.hub = 'https://hub.example.org/'
    feed.videos.unshift('v02')
    await check()
    expect(await row()).toMatchObject({ state: 'ending' })
  })
})

describe('the configuration changes', () => {
  it('another PUBLIC_URL: the hub gets the new callback, and its confirmation counts', async () => {
    const { hub, keep, parts, keepVerified } = await followed()
    await keepVerified(0)
    const moved = pushingParts(sql, await served(app.app))
    await keep(moved)
    await verified(hub, 1)
    expect(hub.seen[1]?.fields['hub.callback']).not.toBe(hub.seen[0]?.fields['hub.callback'])
    await keep(moved)
    expect(hub.seen).toHaveLength(2)
    expect(parts.push?.callbacks).not.toBe(moved.push?.callbacks)
  })

  it('push is turned off: everything is forgotten, and the hub gets 410', async () => {
    const { hub, topic, parts, keepVerified } = await followed()
    await keepVerified(0)
    await queuePushes({ ...parts, push: undefined })
    expect(await rows()).toEqual([])
    expect(await hub.publish(topic, 'x')).toEqual([410])
    expect(hub.subscriptions.size).toBe(0)
  })

  it('a hub that may not be used any more is forgotten without a request', async () => {
    const { hub, keep, parts } = await followed()
    const push = { callbacks: parts.push?.callbacks ?? '', usable: () => undefined }
    await keep({ ...parts, push })
    expect(hub.seen).toEqual([])
    expect(await rows()).toEqual([])
  })
})

it('hubs that hang take few places of the worker, and none from renewals', async () => {
  const parts = pushingParts(sql, 'http://127.0.0.1')
  const alice = await person(sql, 'alice')
  const ids = await Promise.all(
    Array.from({ length: 12 }, async (_, nth) => {
      const rss_url = `https://h.example/${nth}`
      await alice.library.channels.save({ channel_id: `c${nth}`, title: 'c', rss_url }, [])
      const push_id = `${nth}`.padEnd(32, 'x')
      await useHubs(sql, [{ rss_url, hub: `http://127.0.0.1:${nth + 1}/`, topic: rss_url, push_id, secret: 's' }])
      return push_id
    }),
  )
  const hanging = Promise.withResolvers<never>()
  hanging.promise.catch(() => {})
  const asked: string[] = []
  const sendToHub = (hub: string) => {
    asked.push(hub)
    return hanging.promise
  }
  const tasks = pushTasks({ ...parts, sendToHub })
  const running = ids.slice(0, 10).map((id, nth) => tasks.subscribe(id, `host ${nth}`))
  await vi.waitFor(() => expect(asked).toHaveLength(8))
  await Promise.race(running)
  running.push(...ids.slice(10).map(id => tasks.subscribe(id, 'host 1', true)))
  await vi.waitFor(() => expect(asked).toHaveLength(9))
  hanging.reject(new Error('the test is over'))
  await Promise.allSettled(running)
  expect((await rows()).filter(({ callback }) => callback === null)).toHaveLength(3)
})

it('requests to one hub are spread over the minute, hubs take turns, and renewals come first', async () => {
  const alice = await person(sql, 'alice')
  const add = async (hub: string, count: number, state = 'pending') => {
    for (let nth = 0; nth < count; nth++) {
      const rss_url = `https://h.example/${hub}/${state}/${nth}`
      await alice.library.channels.save({ channel_id: `${hub}.${state}.${nth}`, title: 'c', rss_url }, [])
      const push_id = `${hub}-${state}-${nth}`.padEnd(32, 'x')
      await sql`
        insert into push_subscriptions (push_id, rss_url, hub, topic, secret, state, lease_until)
        values (${push_id}, ${rss_url}, ${`https://${hub}.example/`}, ${rss_url}, 's', ${state}, now() + interval '1 day')`
    }
  }
  await add('many', 5)
  await add('many', 2, 'active')
  await add('few', 1)
  const queued = await queueHubRequests(sql, {
    max_requests: 4,
    apart_ms: 1000,
    in_all: 4,
  })
  const jobs = await sql<{ name: string; after_s: number }[]>`
    select   rtrim(payload ->> 'push_id', 'x') as name, round(extract(epoch from run_at - created_at)) as after_s
    from     graphile_worker._private_jobs
    order by run_at, name`
  expect(queued).toBe(4)
  expect(jobs.map(({ name, after_s }) => `${name} ${after_s}`)).toEqual([
    'few-pending-0 0',
    'many-active-0 0',
    'many-active-1 1',
    'many-pending-0 2',
  ])
})
