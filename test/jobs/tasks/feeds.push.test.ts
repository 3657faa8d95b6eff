/** What pushes and checks of a feed say about each other, against a real hub and the app's real callback. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { refreshFeedTask } from '../../../jobs/tasks/feeds.ts'
import { queuePushes } from '../../../jobs/tasks/housekeeping.ts'
import { dueFeeds } from '../../../src/db/channels/everyone/feeds.ts'
import { noteCheck } from '../../../src/db/push/everyone/push-subscriptions.ts'
import { useApp } from '../../support/app/app.ts'
import { person } from '../../support/app/people.ts'
import { feedWithHub, pushingParts, pushTasks, served } from '../../support/app/pushed.ts'

const app = useApp()
const { sql } = app

beforeEach(async () => {
  await sql`delete from channels`
  await sql`delete from push_subscriptions`
  await sql`delete from graphile_worker._private_jobs`
})

const row = async () => (await sql`select * from push_subscriptions`)[0]
const jobs = () => sql<{ run_at: Date }[]>`
  select run_at from graphile_worker._private_jobs where key like 'refresh:%'`
const secondsUntil = (date: Date) => (date.getTime() - Date.now()) / 1000

const wholeMinutesUntil = (date: Date) => Math.ceil(secondsUntil(date) / 60)

/** Alice and bob follow a feed whose hub announces it. */
async function announced() {
  const site = await feedWithHub()
  const parts = pushingParts(sql, await served(app.app))
  const tasks = pushTasks(parts)
  const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
  for (const { library } of [alice, bob])
    await library.channels.save({ channel_id: 'kitchen', title: 'Kitchen', rss_url: site.rss_url }, [])
  const poll = async () => {
    await sql`update channels set next_fetch_at = now()`
    await tasks.refresh(site.rss_url)
  }
  await poll()
  await tasks.subscribe((await row())?.push_id)
  await vi.waitFor(async () => expect(await row()).toMatchObject({ state: 'active' }))
  await sql`update push_subscriptions set active_since = now() - interval '1 day'`
  /** Ends the window between two checks, and takes the job as a worker would. */
  const take = async () => {
    await sql`update push_subscriptions set check_at = date_trunc('milliseconds', now()) where check_at is not null`
    await sql`delete from graphile_worker._private_jobs where key like 'refresh:%'`
    await tasks.refresh(site.rss_url)
  }
  const push = async () => {
    await sql`update push_subscriptions set last_check_at = null`
    expect(await site.hub.publish(site.topic, 'x')).toEqual([202])
  }
  const pushAndTake = () => push().then(take)
  const minutes = async () => secondsUntil((await sql`select next_fetch_at from channels`)[0]?.next_fetch_at) / 60
  return { ...site, parts, tasks, alice, bob, poll, take, push, pushAndTake, minutes }
}

describe('a push', () => {
  it('brings the new video to everyone who follows the feed, although the feed is not due', async () => {
    const { feed, alice, bob, pushAndTake } = await announced()
    feed.videos.unshift('v02')
    await pushAndTake()
    for (const { library } of [alice, bob])
      expect((await library.videos.list({ limit: 9 })).entries.map(({ title }) => title)).toEqual(['v02', 'v01'])
    expect(await row()).toMatchObject({ pushed_first: 1, streak: 1, check_at: null, rechecks: 0 })
    expect(await jobs()).toEqual([])
  })

  it('that arrives before the site shows the video leads to checks after one and after five more minutes', async () => {
    const { feed, take, pushAndTake } = await announced()
    await pushAndTake()
    expect(wholeMinutesUntil((await row())?.check_at)).toBe(1)
    expect((await jobs()).map(({ run_at }) => run_at)).toEqual([(await row())?.check_at])
    await take()
    expect(wholeMinutesUntil((await row())?.check_at)).toBe(5)
    feed.videos.unshift('v02')
    await take()
    expect(await row()).toMatchObject({ pushed_first: 1, polled_first: 0, check_at: null })
    expect(await jobs()).toEqual([])
  })

  it('without news leads to three checks, and counts for nothing', async () => {
    const { push, take, site } = await announced()
    const before = site.asked.length
    await push()
    for (const _ of [1, 2, 3, 4]) await take()
    expect(site.asked.length - before).toBe(3)
    expect(await row()).toMatchObject({ pushed_first: 0, polled_first: 0, streak: 0, check_at: null })
  })

  it('waits for longer, the more checks in a row found nothing, up to 15 minutes', async () => {
    const { hub, topic } = await announced()
    const waits: number[] = []
    for (const fruitless of [0, 1, 3, 20]) {
      await sql`update push_subscriptions set fruitless = ${fruitless}, last_check_at = now(), check_at = null`
      await hub.publish(topic, 'x')
      waits.push(Math.round(secondsUntil((await row())?.check_at)))
    }
    expect(waits).toEqual([10, 20, 80, 900])
  })

  it('that found nothing is counted until one finds a new video', async () => {
    const { feed, pushAndTake } = await announced()
    for (const fruitless of [1, 2]) {
      await pushAndTake()
      expect(await row()).toMatchObject({ fruitless })
    }
    feed.videos.unshift('v02')
    await pushAndTake()
    expect(await row()).toMatchObject({ fruitless: 0, pushed_first: 1 })
  })

  it('that arrives before a repeated check does not begin the repetitions again', async () => {
    const { hub, topic, push, take } = await announced()
    await sql`update push_subscriptions set fruitless = 7`
    await push()
    for (const minutes of [1, 5]) {
      await take()
      await hub.publish(topic, 'x')
      expect(wholeMinutesUntil((await row())?.check_at)).toBe(minutes)
    }
    await take()
    expect((await row())?.check_at).toBeNull()
  })

  it('for a changed title leads to one check', async () => {
    const { pushAndTake } = await announced()
    await sql`update video_entries set title = 'before'`
    await sql`update channels set body_hash = null, etag = null`
    await pushAndTake()
    expect(await row()).toMatchObject({ pushed_first: 0, check_at: null })
  })

  it('that arrives while a check runs is not forgotten', async () => {
    const { push, rss_url } = await announced()
    await push()
    const [due] = await dueFeeds(sql, [rss_url])
    await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker'`
    await sql`update push_subscriptions set check_at = check_at - interval '1 second', last_check_at = now()`
    const checked = new Date((due?.push?.check_at?.getTime() ?? 0) - 1000)
    await push()
    await noteCheck(sql, { push_id: due?.push?.push_id ?? '', checked })
    expect((await row())?.check_at).not.toBeNull()
  })

  it('whose worker died is checked at the next minute', async () => {
    const { push, parts, rss_url } = await announced()
    await push()
    await sql`delete from graphile_worker._private_jobs`
    await queuePushes(parts)
    expect(await jobs()).toHaveLength(1)
    await queuePushes(parts)
    expect(await jobs()).toHaveLength(1)
    expect((await dueFeeds(sql, [rss_url]))[0]).toBeDefined()
  })

  it('for a feed at a paused host waits until the pause ends', async () => {
    const { take, site, parts, pushAndTake } = await announced()
    await sql`
      insert into host_pauses (host, until, reason)
      values (${`feeds:127.0.0.1:${site.port}`}, now() + interval '1 hour', 'it asked for fewer requests')`
    const before = site.asked.length
    await pushAndTake()
    await queuePushes(parts)
    expect(await jobs()).toEqual([])
    await sql`delete from host_pauses`
    await queuePushes(parts)
    expect(await jobs()).toHaveLength(1)
    await take()
    expect(site.asked.length - before).toBe(1)
  })

  it('is not delayed by checks of other feeds of the same host, and waits two seconds behind other pushes', async () => {
    const { push, parts, rss_url } = await announced()
    await push()
    await sql`delete from graphile_worker._private_jobs`
    const hanging = Promise.withResolvers<never>()
    hanging.promise.catch(() => {})
    let asked = 0
    const fetchChanges = () => {
      asked += 1
      return hanging.promise
    }
    const task = refreshFeedTask({ ...parts, fetchChanges })
    const helpers = { abortSignal: new AbortController().signal } as never
    const { library } = await person(sql, 'carol')
    const other = (nth: number) => new URL(`/${nth}`, rss_url).href
    for (const nth of [1, 2, 3, 4, 5])
      await library.channels.save({ channel_id: `c${nth}`, title: 'c', rss_url: other(nth) }, [])
    await sql`update channels set next_fetch_at = now()`
    const run = (address: string, pushed?: boolean) => task({ rss_url: address, pushed }, helpers)
    const running = [1, 2, 3].map(nth => run(other(nth)))
    await vi.waitFor(() => expect(asked).toBe(2))
    running.push(run(rss_url, true), run(other(4), true))
    await vi.waitFor(() => expect(asked).toBe(4))
    await run(other(5), true)
    expect(asked).toBe(4)
    const [postponed] = await jobs()
    expect(secondsUntil(postponed?.run_at ?? new Date(0))).toBeLessThanOrEqual(2)
    hanging.reject(new Error('the test is over'))
    await Promise.allSettled(running)
  })
})

describe('the pace of checks by the clock', () => {
  it('is four times slower after two announcements in a row, and the usual one when a check finds what no push announced', async () => {
    const { feed, poll, minutes, pushAndTake } = await announced()
    await sql`update channels set etag = null`
    await poll()
    const usual = await minutes()
    for (const video of ['v02', 'v03']) {
      feed.videos.unshift(video)
      await pushAndTake()
    }
    expect(await row()).toMatchObject({ pushed_first: 2, streak: 2 })
    await poll()
    expect(await minutes()).toBeGreaterThan(Math.min(2 * usual, 20 * 60))

    feed.videos.unshift('v04')
    await poll()
    expect(await row()).toMatchObject({ pushed_first: 2, polled_first: 1, streak: 0 })
    expect(await minutes()).toBeLessThan(1.3 * usual)
  })

  it('never stops: a feed whose hub announces is planned within a day', async () => {
    const { poll, minutes } = await announced()
    await sql`update push_subscriptions set streak = 100`
    await poll()
    expect(await minutes()).toBeLessThanOrEqual(24 * 60)
  })

  it('videos that appeared before the hub announced count neither for nor against it', async () => {
    const { feed, poll } = await announced()
    await sql`update push_subscriptions set active_since = now() + interval '1 minute'`
    feed.videos.unshift('v02')
    await poll()
    expect(await row()).toMatchObject({ pushed_first: 0, polled_first: 0, streak: 0 })
  })
})

it('the checks of a feed without a hub leave nothing behind', async () => {
  const { feed, poll, parts } = await announced()
  feed.hub = undefined
  await sql`delete from push_subscriptions`
  feed.videos.unshift('v02')
  await poll()
  await queuePushes(parts)
  expect(await row()).toBeUndefined()
})
