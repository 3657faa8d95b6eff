/** Watches videos while they are downloaded: real processes, the real yt-dlp and ffmpeg, and a real browser. */
import type { Page } from 'playwright-core'
import { expect, vi } from 'vitest'
import { useDatabase } from '../app/database.ts'
import { openSignedIn, useBrowser } from '../browser/browser.ts'
import { json, publishFeed } from './journey.ts'
import { useService } from './service.ts'

/** A service without a worker, and a browser, for the tests of one file. */
export function useWatchNow() {
  const db = useDatabase()
  const service = useService(db)
  const browser = useBrowser()

  /** The page of one video that this person follows and has not downloaded. */
  async function opened(username: string, file: string) {
    const { media, web } = service
    const ask = await service.person(username)
    const followed = await ask('/api/channels', json({ url: publishFeed(media, { Film: file }, `/${username}.xml`) }))
    expect(followed.status).toBe(201)
    const { channel_id } = (await followed.json()) as { channel_id: string }
    const history = (await (await ask(`/api/history/${channel_id}`)).json()) as { entries: { video_id: string }[] }
    const [{ video_id } = { video_id: '' }] = history.entries
    expect(video_id).not.toBe('')
    const context = await browser.newContext({ baseURL: web.url, viewport: { width: 1200, height: 800 } })
    const page = await context.newPage()
    await openSignedIn(page, username, `/watch/${video_id}`)
    return { page, video_id, ask }
  }

  return { db, service, opened }
}

export async function pressWatch(page: Page): Promise<void> {
  // A page without the button fails with its words.
  await expect.poll(() => page.locator('main').textContent()).toContain('Watch now')
  await page.getByRole('button', { name: 'Watch now' }).click()
}

/** Sets the speed as a person does: another file of the film keeps it. */
export const playAt = (page: Page, speed: number) =>
  page.locator('video.player').evaluate((media: HTMLVideoElement, speed) => {
    media.defaultPlaybackRate = speed
    media.playbackRate = speed
  }, speed)

export const stateOf = (page: Page) =>
  page.locator('video.player').evaluate((media: HTMLVideoElement) => ({
    time: media.currentTime,
    length: media.duration,
    arrived: Number(media.dataset.arrived ?? 0),
    is_whole: new URL(media.currentSrc, location.href).pathname.startsWith('/stream/'),
    is_paused: media.paused,
    fault: media.error?.message,
  }))
type State = Awaited<ReturnType<typeof stateOf>>

export const until = (page: Page, reached: (state: State) => boolean) => readUntil(() => stateOf(page), reached)

const readUntil = <T>(read: () => Promise<T>, reached: (value: T) => boolean) =>
  vi.waitFor(
    async () => {
      const value = await read()
      if (!reached(value)) throw new Error(`not yet: ${JSON.stringify(value).slice(-200)}`)
      return value
    },
    { timeout: 90_000, interval: 200 },
  )

/** When the browser drew a frame, and the position of the film then, both in seconds. */
type Frame = { at: number; time: number }

/** Notes every frame that the browser draws from now on. */
export const record = (page: Page) =>
  page.evaluate(() => {
    const film_frames: Frame[] = []
    Object.assign(window, { film_frames })
    const note = () => {
      const media = document.querySelector<HTMLVideoElement>('video.player')
      if (media) film_frames.push({ at: performance.now() / 1000, time: media.currentTime })
      requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
  })
export const recorded = (page: Page) => page.evaluate(() => (window as unknown as { film_frames: Frame[] }).film_frames)

/** Waits until a frame is drawn that is later in the film than `time`. A busy browser draws few. */
export const drawn = (page: Page, time: number) =>
  readUntil(
    () => recorded(page),
    frames => frames.some(frame => frame.time > time),
  )

/** The positions between which the film went back, or went on by more than `longest` seconds beyond the time that passed. */
export const jumpsIn = (frames: Frame[], longest = Number.POSITIVE_INFINITY) =>
  frames.flatMap(({ at, time }, n) => {
    const before = frames[n - 1] ?? { at, time }
    const step = time - before.time
    return step < -0.05 || step - (at - before.at) > longest ? [[before.time, time]] : []
  })
