/** Watches videos of several forms while they are downloaded: one whose worker is killed, and one that two people watch at once. */
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { long_s } from '../support/media/films.ts'
import type { Running } from '../support/process/processes.ts'
import { letSilencePass } from '../support/process/service.ts'
import {
  drawn,
  jumpsIn,
  playAt,
  pressWatch,
  record,
  recorded,
  stateOf,
  until,
  useWatchNow,
} from '../support/process/watch-now.ts'

const watched = useWatchNow()
let worker: Running
beforeAll(async () => {
  worker = await watched.service.worker()
})

it.each([
  { what: 'one file', file: '/long.mp4', hold: () => watched.service.media.holdAfter(1_500_000, '/long.mp4') },
  {
    what: 'picture and sound apart',
    file: '/long-dash/manifest.mpd',
    hold: () => watched.service.media.hold('stream0-00008'),
  },
  { what: 'HLS', file: '/long-hls/media.m3u8', hold: () => watched.service.media.hold('media8.ts') },
])(
  '$what plays while it is downloaded, can be sought, and goes on with the finished file without a jump',
  async ({ what, file, hold }) => {
    const free = hold()
    onTestFinished(free)
    const { page } = await watched.opened(`viewer-${what.split(' ')[0]}`, file)
    await pressWatch(page)
    const { arrived } = await until(page, ({ time, arrived }) => time > 0.2 && arrived > 3)
    expect(arrived).toBeLessThan(long_s - 1)
    // A site says it of its videos. Of these, only the one file does, and it may be read after the first parts.
    if (what === 'one file')
      expect((await until(page, ({ length }) => length < Number.POSITIVE_INFINITY)).length).toBeCloseTo(long_s, 0)

    await page.locator('video.player').evaluate((media: HTMLVideoElement) => {
      media.currentTime = 3
    })
    await until(page, ({ time }) => time > 3.2)
    await page.locator('video.player').evaluate((media: HTMLVideoElement) => {
      media.currentTime = 1
    })
    await record(page)
    expect(jumpsIn(await drawn(page, 1.2), 0.3)).toEqual([])

    // A busy machine takes long to finish the file. The film must not end before.
    await playAt(page, 0.25)
    await record(page)
    free()
    const { time } = await until(page, ({ is_whole, is_paused }) => is_whole && !is_paused)
    expect(time).toBeLessThan(long_s - 1)
    await playAt(page, 1)
    const after = await until(page, state => state.time > time + 0.5)
    expect(after.length).toBeCloseTo(long_s, 0)
    expect(jumpsIn(await recorded(page), 0.3)).toEqual([])
  },
)

it('a worker that is killed costs a pause, and another one goes on with the film', async () => {
  const free = watched.service.media.holdAfter(1_500_000, 'killed')
  onTestFinished(free)
  const { page } = await watched.opened('patient', '/long.mp4?killed')
  await pressWatch(page)
  await until(page, ({ time }) => time > 0.2)
  await worker.stop('SIGKILL')
  await letSilencePass(watched.db.sql)
  worker = await watched.service.worker()
  const before = await stateOf(page)
  await record(page)
  free()
  await until(page, ({ is_whole }) => is_whole)
  await playAt(page, 2)
  await until(page, ({ time }) => time > long_s - 1)
  expect(before.fault).toBeUndefined()
  expect(jumpsIn(await recorded(page))).toEqual([])
})

it('two people watch the same arriving video, which is downloaded once', async () => {
  const free = watched.service.media.holdAfter(1_500_000, 'together')
  onTestFinished(free)
  const first = await watched.opened('one-of-two', '/long.mp4?together')
  const second = await watched.opened('two-of-two', '/long.mp4?together')
  await pressWatch(first.page)
  await until(first.page, ({ time }) => time > 0.2)
  await pressWatch(second.page)
  await until(second.page, ({ time }) => time > 0.2)
  free()
  await until(first.page, ({ is_whole }) => is_whole)
  await until(second.page, ({ is_whole }) => is_whole)
  const fetched = watched.service.media.requests.filter(({ search }) => search.includes('together'))
  // yt-dlp asks for the page of the video, which is the file itself, and then for the file.
  expect(fetched).toHaveLength(2)
})

it('a format that can be played only when it is complete says so', async () => {
  const free = watched.service.media.holdAfter(1_500_000, 'index-last')
  onTestFinished(free)
  const { page } = await watched.opened('reader', '/long-index-last.mp4')
  await pressWatch(page)
  await page.getByText('This format can be played only when it is complete.').waitFor()
  free()
  const { length } = await until(page, ({ is_whole, time }) => is_whole && time > 0.2)
  expect(length).toBeCloseTo(long_s, 0)
})
