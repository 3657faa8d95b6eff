/** A video from its publication to New, through a real hub, the app over HTTP, real workers and Postgres. */

import { beforeEach, expect, it, vi } from 'vitest'
import { startWorker } from '../../jobs/worker/main.ts'
import { queuePushes } from '../../src/domain/push/subscriptions.ts'
import { useApp } from '../support/app/app.ts'
import { person } from '../support/app/people.ts'
import { channelWithHub, rss_url, served } from '../support/app/pushed.ts'

const app = useApp()
const { sql, url: database_url } = app

beforeEach(async () => {
  await sql`delete from channels`
  await sql`delete from push_subscriptions`
  await sql`delete from graphile_worker._private_jobs`
})

it('a published video is in New as soon as the hub has pushed it, and no clock was waited for', async () => {
  const { hub, feed, site, partsAt } = await channelWithHub()
  const parts = partsAt(sql, await served(app.app))
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
    await sql`update push_subscriptions set check_at = null`
    feed.videos.unshift(video)
    const published = performance.now()
    expect(await hub.publish(rss_url, 'this content is not read')).toEqual([202])
    await vi.waitFor(async () => expect(await newVideos()).toContain(video), { timeout: 20_000, interval: 50 })
    seconds.push((performance.now() - published) / 1000)
  }
  console.log(`from the publication to New: ${seconds.map(each => each.toFixed(2)).join(', ')} s`)
  await worker.stop()

  expect(await sql`select streak from push_subscriptions`).toEqual([{ streak: 2 }])
  expect(site.asked.length).toBe(4)
})
