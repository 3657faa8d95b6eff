/** Watches videos of several forms while they are downloaded. */
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { long_s } from '../support/media/films.ts'
import {
  drawn,
  jumpsIn,
  pressWatch,
  record,
  recorded,
  stateOf,
  until,
  useWatchNow,
} from '../support/process/watch-now.ts'

const watched = useWatchNow()
beforeAll(async () => void (await watched.service.worker()))

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
  {
    timeout: 120_000,
  },
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

    await record(page)
    free()
    await until(page, ({ is_whole, is_paused }) => is_whole && !is_paused)
    const { time } = await stateOf(page)
    const after = await until(page, state => state.time > time + 1)
    expect(after.length).toBeCloseTo(long_s, 0)
    expect(jumpsIn(await recorded(page), 0.3)).toEqual([])
  },
)
