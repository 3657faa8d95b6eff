/** Subscriptions from the followed channel to the end, against a real hub and the app's real callback. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { housekeepingTask } from '../../../jobs/tasks/housekeeping.ts'
import type { WorkerParts } from '../../../jobs/worker/parts.ts'
import { takeRequest } from '../../../src/db/push/everyone/push-subscriptions.ts'
import { queuePushes } from '../../../src/domain/push/subscriptions.ts'
import { useApp } from '../../support/app/app.ts'
import { type Person, person } from '../../support/app/people.ts'
import { channelWithHub, feedOf, pushTasks, rss_url, served } from '../../support/app/pushed.ts'
import { siteWith } from '../../support/media/feed-site.ts'

const app = useApp()
const { sql } = app

beforeEach(async () => {
  await sql`delete from channels`
  await sql`delete from push_subscriptions`
  await sql`delete from graphile_worker._private_jobs`
})

const rows = () => sql`select * from push_subscriptions`
const row = async () => (await rows())[0]
const follow = ({ library }: Person, address = rss_url) =>
  library.channels.save({ channel_id: address.slice(-4), title: 'Kitchen', rss_url: address }, [])
const dueAgain = () => sql`update push_subscriptions set next_attempt_at = now()`
const waiting = () => sql`
  select id from graphile_worker.jobs where task_identifier = 'subscribe-feed' and attempts < max_attempts`
const minutesUntil = (date: Date) => (date.getTime() - Date.now()) / 60_000
const keepHouse = (parts: WorkerParts) => housekeepingTask(parts)({}, {} as never)

/** Alice follows a channel. */
async function followed(options: Parameters<typeof channelWithHub>[0] = {}) {
  const site = await channelWithHub(options)
  const public_url = await served(app.app)
  const parts = site.partsAt(sql, public_url)
  const alice = await person(sql, 'alice')
  await follow(alice)
  await keepHouse(parts)
  /** Housekeeping, and the requests that it queues. */
  const keep = async (with_parts = parts) => {
    await queuePushes(with_parts)
    if ((await waiting()).length > 0) await pushTasks(with_parts).subscribe()
    await sql`delete from graphile_worker._private_jobs`
  }
  const keepVerified = async (nth: number) => {
    await keep()
    await vi.waitFor(() => expect(site.hub.seen[nth]?.verified).toBe(200))
  }
  return { ...site, public_url, parts, alice, keep, keepVerified }
}

describe('a channel of YouTube', () => {
  it.each([false, true])('is subscribed to; the hub verifies before its answer: %s', async verifies_first => {
    const { hub, public_url, keepVerified } = await followed({ verifies_first })
    expect(await row()).toMatchObject({ topic: rss_url, callback: null, lease_until: null })
    await keepVerified(0)

    const { push_id, secret, next_attempt_at } = (await row()) ?? {}
    expect(hub.seen.map(({ fields }) => fields)).toEqual([
      {
        'hub.mode': 'subscribe',
        'hub.topic': rss_url,
        'hub.callback': `${public_url}/push/${push_id}`,
        'hub.verify': 'async',
        'hub.lease_seconds': '864000',
        'hub.secret': secret,
      },
    ])
    expect(push_id).toMatch(/^[\w-]{32}$/)
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    // Half of the lease of 828,000 seconds that this hub grants at most.
    expect(minutesUntil(next_attempt_at)).toBeCloseTo(6900, 0)
  })

  it('is subscribed to within a minute of being followed, before its feed is checked, and once for all its followers', async () => {
    const { parts, site } = await followed()
    const before = await rows()
    expect(before).toMatchObject([{ rss_url, topic: rss_url }])
    expect(await waiting()).toHaveLength(1)
    await follow(await person(sql, 'bob'))
    await keepHouse(parts)
    expect(await rows()).toEqual(before)
    expect(site.asked).toEqual([])
  })

  it('that was followed while push was off is subscribed to after its next check', async () => {
    const { parts } = await followed()
    await queuePushes({ ...parts, callbacks: undefined })
    await sql`update channels set next_fetch_at = now()`
    await pushTasks(parts).refresh({ rss_url })
    expect(await rows()).toMatchObject([{ rss_url, topic: rss_url }])
  })

  it('gets no subscription while push is off, and a feed elsewhere never', async () => {
    const { parts, alice } = await followed()
    await keepHouse({ ...parts, callbacks: undefined })
    const elsewhere = 'https://h.example/feed'
    await follow(alice, elsewhere)
    await keepHouse({ ...parts, callbacks: undefined })
    expect(await rows()).toEqual([])
    await sql`update channels set next_fetch_at = now()`
    await pushTasks(parts).refresh({ rss_url: elsewhere })
    expect(await rows()).toEqual([])
  })

  it('is renewed at half of the lease, and deliveries count meanwhile', async () => {
    const { hub, keep, keepVerified } = await followed()
    await keepVerified(0)
    await sql`update push_subscriptions set next_attempt_at = now(), lease_until = now() + interval '1 hour', streak = 2`
    hub.answer((_, response) => response.writeHead(202).end())
    await keep()
    expect(await hub.publish(rss_url, 'x')).toEqual([202])
    hub.answer(undefined)
    await dueAgain()
    await keepVerified(1)
    expect(hub.seen[1]?.fields).toEqual(hub.seen[0]?.fields)
    expect(minutesUntil((await row())?.lease_until)).toBeGreaterThan(60)
    expect(await row()).toMatchObject({ failures: 0, streak: 2 })
  })

  it('that no one follows any more is forgotten instead of renewed, and the hub gets 410', async () => {
    const { hub, keep, alice, keepVerified } = await followed()
    const bob = await person(sql, 'bob')
    await follow(bob)
    await keepVerified(0)
    await alice.library.channels.remove('aaaa')
    expect(await hub.publish(rss_url, 'x')).toEqual([202])
    await bob.library.channels.remove('aaaa')
    await dueAgain()
    await keep()
    expect(await rows()).toEqual([])
    expect(hub.seen).toHaveLength(1)
    expect(await hub.publish(rss_url, 'x')).toEqual([410])
  })

  it('a subscription at the hub of another feed, of an earlier version, ends with its lease', async () => {
    const { hub, keep, alice, keepVerified } = await followed()
    await keepVerified(0)
    await follow(alice, 'https://h.example/feed')
    await sql`
      insert into push_subscriptions (push_id, rss_url, hub, topic, secret)
      values (${'x'.repeat(32)}, 'https://h.example/feed', 'https://hub.example/', 'https://h.example/feed', 's')`
    await keep()
    expect(await rows()).toMatchObject([{ rss_url }])
    expect(hub.seen).toHaveLength(1)
  })
})

describe('a request', () => {
  it('whose worker dies is sent later', async () => {
    const { hub, parts, keep, keepVerified } = await followed()
    await takeRequest(parts.sql, parts.callbacks ?? '')
    await keep()
    expect(hub.seen).toEqual([])
    expect(minutesUntil((await row())?.next_attempt_at)).toBeCloseTo(15, 0)
    await dueAgain()
    await keepVerified(0)
  })

  it('whose job was lost is queued again, once', async () => {
    const { parts } = await followed()
    await sql`update graphile_worker._private_jobs set attempts = max_attempts`
    await keepHouse(parts)
    await queuePushes(parts)
    expect(await waiting()).toHaveLength(1)
  })

  it('is sent once, when several workers send requests', async () => {
    const { hub, parts } = await followed()
    const { subscribe } = pushTasks(parts)
    await Promise.all([subscribe(), subscribe(), subscribe()])
    await vi.waitFor(() => expect(hub.seen[0]?.verified).toBe(200))
    expect(hub.seen).toHaveLength(1)
  })

  it('that the hub refuses is sent again after 15 minutes, then half an hour, up to a day', async () => {
    const { hub, keep, keepVerified } = await followed()
    hub.answer((_, response) => response.writeHead(500).end())
    const waits: number[] = []
    for (let nth = 0; nth < 9; nth++) {
      await keep()
      waits.push(Math.round(minutesUntil((await row())?.next_attempt_at)))
      await dueAgain()
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 480, 960, 1440, 1440])
    hub.answer(undefined)
    await keepVerified(0)
    expect(await row()).toMatchObject({ failures: 0 })
  })

  it('that the hub redirects goes nowhere else, because it contains the key of the signatures', async () => {
    const other = await siteWith((_, response) => response.writeHead(202).end())
    const { hub, keep } = await followed()
    hub.answer((_, response) => response.writeHead(307, { location: other.url }).end())
    await keep()
    expect(other.asked).toEqual([])
    expect(await row()).toMatchObject({ failures: 1, lease_until: null })
  })

  it('that the hub refuses lets the others wait until the next minute', async () => {
    const { hub, alice, parts } = await followed()
    for (const letter of ['b', 'c']) await follow(alice, feedOf(letter))
    await keepHouse(parts)
    expect(await rows()).toHaveLength(3)
    let requests = 0
    hub.answer((_, response) => {
      requests += 1
      response.writeHead(429).end()
    })
    const { subscribe } = pushTasks(parts)
    await subscribe()
    expect(requests).toBe(1)
    await subscribe()
    expect(requests).toBe(2)
    hub.answer(undefined)
    await dueAgain()
    await subscribe()
    await vi.waitFor(() => expect(hub.seen.map(({ verified }) => verified)).toEqual([200, 200, 200]))
  })

  it('that the hub accepts and never verifies is repeated', async () => {
    const { hub, keep, keepVerified } = await followed()
    hub.answer((_, response) => response.writeHead(202).end())
    await keep()
    expect(await row()).toMatchObject({ failures: 1, lease_until: null })
    hub.answer(undefined)
    await dueAgain()
    await keepVerified(0)
  })
})

describe('the configuration changes', () => {
  it('another PUBLIC_URL: the hub gets the new callback, and its confirmation counts', async () => {
    const { hub, keep, partsAt, keepVerified } = await followed()
    await keepVerified(0)
    const moved = partsAt(sql, await served(app.app))
    await keep(moved)
    await vi.waitFor(() => expect(hub.seen[1]?.verified).toBe(200))
    expect(hub.seen[1]?.fields['hub.callback']).not.toBe(hub.seen[0]?.fields['hub.callback'])
    await keep(moved)
    expect(hub.seen).toHaveLength(2)
  })

  it('push is turned off: everything is forgotten, and the hub gets 410', async () => {
    const { hub, parts, keepVerified } = await followed()
    await keepVerified(0)
    await queuePushes({ ...parts, callbacks: undefined })
    expect(await rows()).toEqual([])
    expect(await hub.publish(rss_url, 'x')).toEqual([410])
    expect(hub.subscriptions.size).toBe(0)
  })
})
