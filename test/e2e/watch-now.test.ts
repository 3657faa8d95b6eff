/** Watches videos while they are downloaded: real processes, the real yt-dlp and ffmpeg, and a real browser. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { openBrowser, openSignedIn } from '../support/browser/browser.ts'
import { long_s } from '../support/media/films.ts'
import { client, json, publishFeed, register } from '../support/process/journey.ts'
import type { Running } from '../support/process/processes.ts'
import { letSilencePass, openService, type Service } from '../support/process/service.ts'

const db = useDatabase()
let service: Service
let worker: Running
let browser: Browser

beforeAll(async () => {
  ;[service, browser] = await Promise.all([openService(db.url), openBrowser()])
  worker = await service.worker()
})
afterAll(async () => {
  await browser?.close()
  await service.close()
})

/** The page of one video that this person follows and has not downloaded. */
async function opened(username: string, file: string) {
  const { media, web } = service
  const ask = client(web.url)
  await register(ask, username)
  const followed = await ask('/api/channels', json({ url: publishFeed(media, { Film: file }, `/${username}.xml`) }))
  const { channel_id } = (await followed.json()) as { channel_id: string }
  const history = (await (await ask(`/api/history/${channel_id}`)).json()) as { entries: { video_id: string }[] }
  const video_id = history.entries[0]?.video_id ?? ''
  const context = await browser.newContext({ baseURL: web.url, viewport: { width: 1200, height: 800 } })
  onTestFinished(() => context.close())
  context.setDefaultTimeout(40_000)
  const page = await context.newPage()
  await openSignedIn(page, username, `/watch/${video_id}`)
  return { page, video_id, ask }
}

const pressWatch = (page: Page) => page.getByRole('button', { name: 'Watch now' }).click()

const stateOf = (page: Page) =>
  page.locator('video.player').evaluate((media: HTMLVideoElement) => ({
    time: media.currentTime,
    length: media.duration,
    arrived: Number(media.dataset.arrived ?? 0),
    is_whole: new URL(media.currentSrc, location.href).pathname.startsWith('/stream/'),
    is_paused: media.paused,
    fault: media.error?.message,
  }))
type State = Awaited<ReturnType<typeof stateOf>>

const until = (page: Page, reached: (state: State) => boolean) =>
  vi.waitFor(
    async () => {
      const state = await stateOf(page)
      if (!reached(state)) throw new Error(`not yet: ${JSON.stringify(state)}`)
      return state
    },
    { timeout: 90_000, interval: 50 },
  )

/** Notes the position of every frame that the browser draws from now on. */
const record = (page: Page) =>
  page.evaluate(() => {
    const times: number[] = []
    Object.assign(window, { times })
    const note = () => {
      const media = document.querySelector<HTMLVideoElement>('video.player')
      if (media) times.push(media.currentTime)
      requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
  })
const recorded = (page: Page) => page.evaluate(() => (window as unknown as { times: number[] }).times)

const jumpsIn = (times: number[], longest_s: number) =>
  times.flatMap((time, n) => {
    const step = n === 0 ? 0 : time - (times[n - 1] ?? 0)
    return step < -0.05 || step > longest_s ? [[times[n - 1], time]] : []
  })

it.each([
  { what: 'one file', file: '/long.mp4', hold: () => service.media.holdAfter(1_500_000, '/long.mp4') },
  { what: 'picture and sound apart', file: '/long-dash/manifest.mpd', hold: () => service.media.hold('stream0-00008') },
  { what: 'HLS', file: '/long-hls/media.m3u8', hold: () => service.media.hold('media8.ts') },
])(
  '$what plays while it is downloaded, can be sought, and goes on with the finished file without a jump',
  {
    timeout: 120_000,
  },
  async ({ what, file, hold }) => {
    const free = hold()
    onTestFinished(free)
    const { page } = await opened(`viewer-${what.split(' ')[0]}`, file)
    await pressWatch(page)
    const { arrived, length } = await until(page, ({ time, arrived }) => time > 0.2 && arrived > 3)
    expect(arrived).toBeLessThan(long_s - 1)
    // A site says it of its videos. Of these, only the one file does.
    if (what === 'one file') expect(length).toBeCloseTo(long_s, 0)

    await page.locator('video.player').evaluate((media: HTMLVideoElement) => {
      media.currentTime = 3
    })
    await until(page, ({ time }) => time > 3.2)
    await page.locator('video.player').evaluate((media: HTMLVideoElement) => {
      media.currentTime = 1
    })
    await until(page, ({ time }) => time > 1.2 && time < 3)

    await record(page)
    free()
    await until(page, ({ is_whole, is_paused }) => is_whole && !is_paused)
    const { time } = await stateOf(page)
    const after = await until(page, state => state.time > time + 1)
    expect(after.length).toBeCloseTo(long_s, 0)
    expect(jumpsIn(await recorded(page), 0.8)).toEqual([])
  },
)

it('a worker that is killed costs a pause, and another one goes on with the film', { timeout: 300_000 }, async () => {
  const free = service.media.holdAfter(1_500_000, 'killed')
  onTestFinished(free)
  const { page } = await opened('patient', '/long.mp4?killed')
  await pressWatch(page)
  await until(page, ({ time }) => time > 0.2)
  await worker.stop('SIGKILL')
  await letSilencePass(db.sql)
  worker = await service.worker()
  const before = await stateOf(page)
  await record(page)
  free()
  await until(page, ({ is_whole }) => is_whole)
  await until(page, ({ time }) => time > long_s - 1)
  expect(before.fault).toBeUndefined()
  expect((await recorded(page)).every((time, n, all) => time >= (all[n - 1] ?? 0) - 0.05)).toBe(true)
})

it('two people watch the same arriving video, which is downloaded once', { timeout: 120_000 }, async () => {
  const free = service.media.holdAfter(1_500_000, 'together')
  onTestFinished(free)
  const first = await opened('one-of-two', '/long.mp4?together')
  const second = await opened('two-of-two', '/long.mp4?together')
  await pressWatch(first.page)
  await until(first.page, ({ time }) => time > 0.2)
  await pressWatch(second.page)
  await until(second.page, ({ time }) => time > 0.2)
  free()
  await until(first.page, ({ is_whole }) => is_whole)
  await until(second.page, ({ is_whole }) => is_whole)
  const fetched = service.media.requests.filter(({ search }) => search.includes('together'))
  // yt-dlp asks for the page of the video, which is the file itself, and then for the file.
  expect(fetched).toHaveLength(2)
})

it('a format that can be played only when it is complete says so', { timeout: 120_000 }, async () => {
  const free = service.media.holdAfter(1_500_000, 'index-last')
  onTestFinished(free)
  const { page } = await opened('reader', '/long-index-last.mp4')
  await pressWatch(page)
  await page.getByText('This format can be played only when it is complete.').waitFor()
  free()
  const { length } = await until(page, ({ is_whole, time }) => is_whole && time > 0.2)
  expect(length).toBeCloseTo(long_s, 0)
})
