/** Loads the older videos of channels of the small YouTube with real workers, kills one of them, and has the site refuse. */
import { beforeAll, expect, it, vi } from 'vitest'
import type { Backfill } from '../../src/schema/channels/channel.ts'
import { useDatabase } from '../support/app/database.ts'
import { smallChannel } from '../support/media/small-youtube.ts'
import { json } from '../support/process/journey.ts'
import type { Running } from '../support/process/processes.ts'
import { letSilencePass, living, stopwatch, useService, useYoutube } from '../support/process/service.ts'

const db = useDatabase()
const [large, held, refused] = [
  // Ten pages, and dates in every unit that YouTube uses: hours, days, weeks, months and years.
  smallChannel('large', { videos: 270, shorts: 30, every_hours: 36 }),
  smallChannel('held', { videos: 90 }),
  smallChannel('refused', { videos: 90 }),
]
const youtube = useYoutube(large, held, refused)
const service = useService(db, { youtube })
let worker: Running
beforeAll(async () => {
  worker = await service.worker()
})

/** A new person who follows the channel. */
async function follower(name: string, channel_id: string) {
  const ask = await service.person(name)
  const url = `https://www.youtube.com/feeds/videos.xml?channel_id=${channel_id}`
  expect((await ask('/api/channels', json({ url }))).status).toBe(201)
  const path = `/api/channels/${channel_id}/backfill`
  const shown = async () => (await (await ask(path)).json()) as Backfill
  return {
    begin: async () => expect((await ask(path, { method: 'POST' })).status).toBe(202),
    cancel: async () => expect((await ask(path, { method: 'DELETE' })).status).toBe(204),
    until: (reached: (backfill: Backfill) => boolean) =>
      vi.waitFor(
        async () => {
          const backfill = await shown()
          if (!reached(backfill)) throw new Error(`not yet: ${JSON.stringify(backfill)}`)
          return backfill
        },
        { timeout: 90_000, interval: 300 },
      ),
  }
}

const stored = (name: string) => db.sql<
  {
    video_id: string
    source: string
    precision: string
    published_at: Date
    is_long: boolean
    standing: string | null
  }[]
>`
  select   video_id, source, published_precision as precision, published_at, duration_seconds > 0 as is_long, standing
  from     video_entries join users on users.id = user_id
  where    username = ${name}
  order by sort_at desc, video_entries.id desc`

/** A forked yt-dlp is known by its folder. */
const reading = async () => [...(await living(held.channel_id)), ...(await living(service.folder, 'backlot-work-ask-'))]

it('a cancelled backfill leaves no process that reads the list', async () => {
  const { begin, cancel, until } = await follower('bob', held.channel_id)
  const release = youtube.hold(`tab ${held.channel_id} videos 60`)
  await begin()
  await until(({ found }) => found >= 30)
  expect((await reading()).length).toBeGreaterThan(0)

  await cancel()
  const gone = stopwatch('cancelled: gone after')
  await vi.waitFor(async () => expect(await reading()).toEqual([]), { timeout: 20_000, interval: 50 })
  gone()

  release()
  expect(await until(({ state }) => state === 'cancelled')).toMatchObject({ found: expect.any(Number) })
})

it('a site that refuses a page is paused, and the backfill continues after the pause', async () => {
  const { begin, until } = await follower('carol', refused.channel_id)
  const relent = youtube.fail(`tab ${refused.channel_id} videos 60`, { status: 429 })
  await begin()
  const waiting = await until(({ state, error }) => state === 'queued' && error !== null)
  expect(waiting).toMatchObject({ found: 60, saved: 45, finished_at: null })
  expect(await db.sql`select host from host_pauses where until > now() + interval '4 minutes'`).toEqual([
    { host: 'youtube.com' },
  ])

  relent()
  await db.sql`delete from host_pauses`
  await db.sql`update graphile_worker._private_jobs set run_at = now() where key like 'backfill:%'`
  expect(await until(({ state }) => state === 'done')).toMatchObject({ found: 90, saved: 75, error: null })
})

it('a channel that the site does not have any more fails with a sentence', async () => {
  const gone = smallChannel('gone', { videos: 20 })
  youtube.channels.push(gone)
  const { begin, until } = await follower('dave', gone.channel_id)
  youtube.channels.splice(youtube.channels.indexOf(gone), 1)
  await begin()
  const failed = await until(({ finished_at }) => finished_at !== null)
  expect(failed).toMatchObject({ state: 'failed', found: 0, error: expect.stringMatching(/no such channel|any more/) })
})

it('a list of 300 videos whose worker is killed halfway is loaded completely, and nothing is stored twice', async () => {
  const { begin, until } = await follower('alice', large.channel_id)
  const of_feed = await stored('alice')
  const release = youtube.hold(`tab ${large.channel_id} videos 180`)
  const found: number[] = []
  const count = (backfill: Backfill) => found.push(backfill.found)

  await begin()
  await until(backfill => count(backfill) > 0 && backfill.found >= 150)
  expect(await worker.stop('SIGKILL')).toBe('SIGKILL')
  await letSilencePass(db.sql)
  const before = youtube.requests.length
  worker = await service.worker()
  await until(backfill => count(backfill) > 0 && youtube.requests.length > before && backfill.state === 'running')
  release()
  const done = await until(backfill => count(backfill) > 0 && backfill.state !== 'running')

  expect(done).toMatchObject({ state: 'done', found: 300, saved: 285, error: null })
  expect(found).toEqual(found.toSorted((a, b) => a - b))
  const videos = await stored('alice')
  const ids = new Set(videos.map(({ video_id }) => video_id))
  expect([videos.length, ids.size]).toEqual([300, 300])
  expect(ids).toEqual(new Set(large.videos.map(({ id }) => id)))
  const fresh = new Set(of_feed.map(({ video_id }) => video_id))
  expect(videos.filter(({ video_id }) => fresh.has(video_id))).toEqual(
    of_feed.map(video => ({ ...video, is_long: expect.toBeOneOf([true, null]) })),
  )
  const older = videos.filter(({ video_id }) => !fresh.has(video_id))
  expect(new Set(older.map(({ source }) => source))).toEqual(new Set(['listing']))
  expect(videos.filter(({ standing }) => standing !== null)).toEqual([])
  const tab = new Map(large.videos.map(video => [video.id, video.tab]))
  const ordinary = videos.filter(({ video_id }) => tab.get(video_id) === 'videos')
  expect(ordinary.filter(({ is_long }) => !is_long)).toEqual([])
  expect(ordinary.map(({ video_id }) => video_id)).toEqual(
    large.videos.filter(({ tab }) => tab === 'videos').map(({ id }) => id),
  )
  console.log('requests of two readings', youtube.counts())
})
