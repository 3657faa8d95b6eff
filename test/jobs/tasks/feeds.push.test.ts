/** What pushes and checks of a feed say about each other, against a real hub and the app's real callback. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { refreshFeedTask } from '../../../jobs/tasks/feeds.ts'
import { useApp } from '../../support/app/app.ts'
import { person } from '../../support/app/people.ts'
import { channelWithHub, pushTasks, rss_url, served } from '../../support/app/pushed.ts'

const app = useApp()
const { sql } = app

beforeEach(async () => {
  await sql`delete from channels`
  await sql`delete from feeds`
  await sql`delete from push_subscriptions`
  await sql`delete from graphile_worker._private_jobs`
  await sql`delete from host_pauses`
})

const row = async () => (await sql`select * from push_subscriptions`)[0]
const jobs = () => sql<{ run_at: Date; payload: { rss_url: string; pushed: boolean } }[]>`
  select run_at, payload from graphile_worker._private_jobs where key like 'refresh:%'`

/** Alice and bob follow a channel that the hub announces. */
async function announced() {
  const site = await channelWithHub()
  const parts = site.partsAt(sql, await served(app.app))
  const tasks = pushTasks(parts)
  const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
  for (const { library } of [alice, bob])
    await library.channels.save({ channel_id: 'kitchen', title: 'Kitchen', rss_url }, [])
  /** A check by the clock, long after the last push. */
  const poll = async () => {
    await sql`update push_subscriptions set check_at = check_at - interval '1 day'`
    await sql`update channels set next_fetch_at = now()`
    await tasks.refresh({ rss_url })
  }
  await poll()
  await tasks.subscribe()
  await vi.waitFor(() => expect(site.hub.subscriptions.size).toBe(1))
  const push = async () => expect(await site.hub.publish(rss_url, 'x')).toEqual([202])
  /** Runs the job that the push queued, as a worker would. */
  const pushAndTake = async () => {
    await sql`update push_subscriptions set check_at = check_at - interval '1 day'`
    await push()
    const [job] = await sql<{ payload: { rss_url: string; pushed: boolean } }[]>`
      delete from graphile_worker._private_jobs where key like 'refresh:%' returning payload`
    await tasks.refresh(job?.payload ?? { rss_url: '' })
  }
  /** Until the next check by the clock. */
  const minutes = async () => {
    const [channel] = await sql<{ minutes: number }[]>`
      select extract(epoch from next_fetch_at - now()) / 60 as minutes from channels`
    return Number(channel?.minutes)
  }
  return { ...site, parts, tasks, alice, bob, poll, push, pushAndTake, minutes }
}

describe('a push', () => {
  it('brings the new video to everyone who follows the feed, although the feed is not due', async () => {
    const { feed, alice, bob, pushAndTake } = await announced()
    feed.videos.unshift('v02')
    await pushAndTake()
    for (const { library } of [alice, bob])
      expect((await library.videos.list({ limit: 9 })).entries.map(({ title }) => title)).toEqual(['v02', 'v01'])
    expect(await row()).toMatchObject({ streak: 1 })
    expect(await jobs()).toEqual([])
  })

  it('that arrives before the site shows the video leads to another check after a minute, which counts for the hub', async () => {
    const { feed, tasks, minutes, pushAndTake } = await announced()
    await pushAndTake()
    expect(await minutes()).toBeGreaterThan(0.9)
    expect(await minutes()).toBeLessThanOrEqual(1)
    await sql`update push_subscriptions set check_at = check_at - interval '1 minute'`
    await sql`update channels set next_fetch_at = now()`
    feed.videos.unshift('v02')
    await tasks.refresh({ rss_url })
    expect(await row()).toMatchObject({ streak: 1 })
  })

  it('without news counts for nothing, and in the end the pace is the usual one', async () => {
    const { tasks, minutes, pushAndTake } = await announced()
    await pushAndTake()
    await sql`update push_subscriptions set check_at = check_at - interval '6 minutes'`
    await sql`update channels set next_fetch_at = now()`
    await tasks.refresh({ rss_url })
    expect(await minutes()).toBeGreaterThan(10)
    expect(await row()).toMatchObject({ streak: 0 })
  })

  it('for a feed at a paused host leads to no request; the check by the clock finds the video', async () => {
    const { feed, site, alice, poll, pushAndTake } = await announced()
    await sql`
      insert into host_pauses (host, until, reason)
      values ('feeds:www.youtube.com', now() + interval '1 hour', 'it asked for fewer requests')`
    const before = site.asked.length
    feed.videos.unshift('v02')
    await pushAndTake()
    expect(site.asked.length).toBe(before)
    await sql`delete from host_pauses`
    await poll()
    expect((await alice.library.videos.list({ limit: 9 })).entries.map(({ title }) => title)).toEqual(['v02', 'v01'])
  })

  it('for a feed that no one follows any more gets 410, which ends the deliveries', async () => {
    const { hub } = await announced()
    await sql`delete from channels`
    expect(await hub.publish(rss_url, 'x')).toEqual([410])
    expect(await jobs()).toEqual([])
    expect(hub.subscriptions.size).toBe(0)
  })

  it('is not delayed by checks of other feeds of the same host, and waits two seconds behind other pushes', async () => {
    const { parts } = await announced()
    const { library } = await person(sql, 'carol')
    const addresses = [1, 2, 3, 4, 5, 6].map(nth => `https://h.example/${nth}`)
    for (const address of addresses)
      await library.channels.save({ channel_id: address.slice(-1), title: 'c', rss_url: address }, [])
    await sql`update channels set next_fetch_at = now()`
    const hanging = Promise.withResolvers<never>()
    hanging.promise.catch(() => {})
    const asked: string[] = []
    const fetchChanges = (address: string) => {
      asked.push(address)
      return hanging.promise
    }
    const task = refreshFeedTask({ ...parts, fetchChanges })
    const helpers = { abortSignal: new AbortController().signal } as never
    const running = addresses.map((rss_url, nth) => task({ rss_url, pushed: nth >= 3 }, helpers))
    // The third check by the clock, and the third because of a push.
    await Promise.all([running[2], running[5]])
    await vi.waitFor(() => expect(asked).toEqual([0, 1, 3, 4].map(nth => addresses[nth])))
    const [postponed, ...others] = await jobs()
    expect(others).toEqual([])
    expect(postponed?.payload).toEqual({ rss_url: addresses[5], pushed: true })
    expect((Number(postponed?.run_at) - Date.now()) / 1000).toBeLessThanOrEqual(2)
    hanging.reject(new Error('the test is over'))
    await Promise.all(running)
  })
})

describe('the pace of checks by the clock', () => {
  it('is four times slower after two announcements in a row, and the usual one when a check finds what no push announced', async () => {
    const { feed, poll, minutes, pushAndTake } = await announced()
    await poll()
    const usual = await minutes()
    for (const video of ['v02', 'v03']) {
      feed.videos.unshift(video)
      await pushAndTake()
    }
    expect(await row()).toMatchObject({ streak: 2 })
    await poll()
    expect(await minutes()).toBeGreaterThan(Math.min(2 * usual, 20 * 60))

    feed.videos.unshift('v04')
    await poll()
    expect(await row()).toMatchObject({ streak: 0 })
    expect(await minutes()).toBeLessThan(1.3 * usual)
  })

  it('is the usual one after the lease, and until a renewed hub has proven itself again', async () => {
    const { hub, feed, tasks, poll, minutes, pushAndTake } = await announced()
    await poll()
    const usual = await minutes()
    for (const video of ['v02', 'v03']) {
      feed.videos.unshift(video)
      await pushAndTake()
    }
    await sql`update push_subscriptions set lease_until = now(), next_attempt_at = now()`
    await poll()
    expect(await minutes()).toBeLessThan(1.3 * usual)
    await tasks.subscribe()
    await vi.waitFor(() => expect(hub.seen[1]?.verified).toBe(200))
    expect(await row()).toMatchObject({ streak: 0 })
  })

  it('a person who follows the channel again, or for the first time, makes no hub proven and none doubtful', async () => {
    const { feed, poll, bob, pushAndTake } = await announced()
    feed.videos.unshift('v02')
    await pushAndTake()
    await bob.library.channels.remove('kitchen')
    await bob.library.channels.save({ channel_id: 'kitchen', title: 'Kitchen', rss_url }, [])
    await pushAndTake()
    expect(await row()).toMatchObject({ streak: 1 })
    const { library } = await person(sql, 'carol')
    await library.channels.save({ channel_id: 'kitchen', title: 'Kitchen', rss_url }, [])
    await poll()
    expect((await library.videos.list({ limit: 9 })).entries).toHaveLength(2)
    expect(await row()).toMatchObject({ streak: 1 })
  })
})
