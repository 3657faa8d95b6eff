/** A video from its publication to New, through a real hub, the app over HTTP, real workers and Postgres. */

import { beforeEach, expect, it, vi } from 'vitest'
import { queuePushes } from '../../jobs/tasks/housekeeping.ts'
import { startWorker } from '../../jobs/worker/main.ts'
import { useApp } from '../support/app/app.ts'
import { person } from '../support/app/people.ts'
import { feedWithHub, pushingParts, served } from '../support/app/pushed.ts'
import { start } from '../support/process/processes.ts'
import { letSilencePass } from '../support/process/service.ts'
import { environmentIn } from '../support/process/tools.ts'
import { newFolder } from '../support/run/new-folder.ts'

const app = useApp()
const { sql, url: database_url } = app
const folder = newFolder()

beforeEach(async () => {
  await sql`delete from channels`
  await sql`delete from push_subscriptions`
  await sql`delete from graphile_worker._private_jobs`
})

it('a published video is in New as soon as the hub has pushed it, and no clock was waited for', {
  timeout: 60_000,
}, async () => {
  const { hub, feed, site, rss_url, topic } = await feedWithHub()
  const parts = pushingParts(sql, await served(app.app))
  const alice = await person(sql, 'alice')
  await alice.library.channels.save({ channel_id: 'kitchen', title: 'Kitchen', rss_url }, [])
  const worker = await startWorker(parts, { database_url, concurrency: 1 })
  await sql`update channels set next_fetch_at = now()`
  await sql`select graphile_worker.add_job('housekeeping')`
  await vi.waitFor(
    async () => {
      await queuePushes(parts)
      expect(hub.subscriptions.size).toBe(1)
    },
    { timeout: 20_000 },
  )

  const newVideos = async () => (await app.ask('/', { as: alice })).text()
  const seconds: number[] = []
  for (const video of ['v02', 'v03', 'v04']) {
    // The window between two checks of a feed has passed.
    await sql`update push_subscriptions set last_check_at = null`
    feed.videos.unshift(video)
    const published = performance.now()
    expect(await hub.publish(topic, 'this content is not read')).toEqual([202])
    await vi.waitFor(async () => expect(await newVideos()).toContain(video), { timeout: 20_000, interval: 50 })
    seconds.push((performance.now() - published) / 1000)
  }
  console.log(`from the publication to New: ${seconds.map(each => each.toFixed(2)).join(', ')} s`)
  await worker.stop()

  const [subscription] = await sql`select pushed_first, polled_first, streak, check_at from push_subscriptions`
  expect(subscription).toEqual({ pushed_first: 3, polled_first: 0, streak: 3, check_at: null })
  expect(site.asked.length).toBe(4)
})

it('a worker that is killed while a hub or a feed answers loses nothing: the next one requests both again', {
  timeout: 240_000,
}, async () => {
  const { hub, feed, site, rss_url, topic } = await feedWithHub()
  const env = { ...(await environmentIn(folder)), DATABASE_URL: database_url, PUBLIC_URL: await served(app.app) }
  const alice = await person(sql, 'alice')
  await alice.library.channels.save({ channel_id: 'kitchen', title: 'Kitchen', rss_url }, [])
  await sql`update channels set next_fetch_at = now()`
  let requests = 0
  hub.answer(() => {
    requests += 1
  })
  const keepHouse = () => sql`select graphile_worker.add_job('housekeeping', job_key := 'housekeeping of the test')`
  const until = (reached: () => unknown) =>
    vi.waitFor(
      async () => {
        await keepHouse()
        await reached()
      },
      { timeout: 100_000, interval: 500 },
    )
  const killed = async (reached: () => unknown) => {
    const worker = await start('worker', { env })
    await until(reached)
    await worker.stop('SIGKILL')
    await letSilencePass(sql)
  }

  await killed(() => expect(requests).toBe(1))
  expect(await sql`select state, failures from push_subscriptions`).toEqual([{ state: 'pending', failures: 1 }])
  hub.answer(undefined)
  await sql`update push_subscriptions set next_attempt_at = now()`
  await killed(() => expect(hub.seen.map(({ verified }) => verified)).toEqual([200]))

  const before = site.asked.length
  feed.videos.unshift('v02')
  feed.hangs = true
  expect(await hub.publish(topic, 'x')).toEqual([202])
  await killed(() => expect(site.asked.length).toBe(before + 1))
  feed.hangs = false
  const last = await start('worker', { env })
  await until(async () => expect(await (await app.ask('/', { as: alice })).text()).toContain('v02'))
  await last.stop()
  expect(await sql`select pushed_first, polled_first, check_at from push_subscriptions`).toEqual([
    { pushed_first: 1, polled_first: 0, check_at: null },
  ])
})
