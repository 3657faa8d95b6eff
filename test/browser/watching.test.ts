/** Watches videos in a browser: resuming, times as links, keys, the end, and undo, with JavaScript and without. */
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import type { Person } from '../support/app/people.ts'
import { expectSoon, media, play, ready, time, useWatching } from '../support/browser/watching.ts'
import { minute_s } from '../support/media/films.ts'

const site = useWatching()
const { watching } = site

const viewing = async ({ library }: Person, video_id = 'second') => library.videos.find(video_id)
const position = async (alice: Person) => (await viewing(alice))?.position_seconds
const isSeen = async (alice: Person, video_id = 'second') => (await viewing(alice, video_id))?.seen_at != null

describe('resuming', () => {
  it('the player starts where the person stopped, until they start over', async () => {
    const { alice, page } = await watching()
    await ready(page)
    await play(page)
    await media(page, video => {
      video.currentTime = 20
    })
    await vi.waitFor(async () => expect(await position(alice)).toBeGreaterThanOrEqual(20))
    await media(page, video => video.pause())
    expect(await viewing(alice)).toMatchObject({ duration_seconds: minute_s, seen_at: null })

    await page.reload()
    await page.getByText(/Resumed at 0:2\d/).waitFor()
    await expectSoon(() => time(page)).toBeGreaterThanOrEqual(20)
    await media(page, video => {
      video.muted = true
    })
    await page.getByRole('link', { name: 'Start over' }).click()
    await expectSoon(() => media(page, video => !video.paused && video.currentTime < 10)).toBe(true)
    expect(page.url()).toMatch(/\/watch\/second$/)
    await vi.waitFor(async () => expect(await position(alice)).toBeLessThan(10))
  })

  it('the position is saved when the page is left while playing', async () => {
    const { alice, page } = await watching()
    await ready(page)
    await play(page)
    const sought = page.waitForResponse(/position$/)
    await media(page, video => {
      video.currentTime = 31
    })
    await sought
    await expectSoon(() => time(page)).toBeGreaterThan(32.2)
    await page.goto('/channels')
    await vi.waitFor(async () => expect(await position(alice)).toBeGreaterThanOrEqual(32))
  })

  it('the position is saved of a video that began to play before the scripts were there', async () => {
    const { alice, page } = await watching()
    const held = Promise.withResolvers<void>()
    await page.route('**/player/player.js*', async route => {
      await held.promise
      await route.continue()
    })
    const opened = page.goto('/watch/second?now')
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1)
    held.resolve()
    await opened
    await page.goto('/channels')
    await vi.waitFor(async () => expect(await position(alice)).toBeGreaterThanOrEqual(1))
  })

  it('opening the page does not change the position', async () => {
    const { alice, page } = await watching({}, { path: '/watch/second?t=40' })
    await ready(page)
    await expectSoon(() => time(page)).toBeCloseTo(40, 0)
    await page.goto('/channels')
    expect(await position(alice)).toBeNull()
  })

  it.each([
    ['left', async (page: Page) => void (await page.goto('/channels'))],
    [
      'paused',
      async (page: Page) => {
        await media(page, video => {
          video.addEventListener('pause', () => document.body.append('It paused.'))
          video.pause()
        })
        await page.getByText('It paused.').waitFor()
      },
    ],
  ])('a video that is %s before its file begins to load keeps its position', async (_, end) => {
    const { alice, page } = await watching({}, { path: '/channels' })
    await alice.library.viewings.record('second', { position_seconds: 40, duration_seconds: minute_s })
    const asked = Promise.withResolvers<void>()
    const saved: string[] = []
    page.on('request', request => request.url().endsWith('/position') && saved.push(request.url()))
    await page.route('**/stream/**', () => asked.resolve())
    await page.goto('/watch/second', { waitUntil: 'domcontentloaded' })
    await media(page, video => void video.play().catch(() => {}))
    await asked.promise
    await end(page)
    expect(saved).toEqual([])
    expect(await position(alice)).toBe(40)
  })

  it.each(['ArrowRight', 'j'])(
    'the key %s before the file begins to load seeks from where the player will start',
    async key => {
      const prepare = (alice: Person) =>
        alice.library.viewings.record('second', { position_seconds: 40, duration_seconds: minute_s })
      const loading = Promise.withResolvers<void>()
      const { page } = await watching({}, { path: '/channels', prepare })
      await page.route('**/stream/**', async route => {
        await loading.promise
        await route.continue()
      })
      await page.goto('/watch/second', { waitUntil: 'domcontentloaded' })
      await page.keyboard.press(key)
      expect(await media(page, video => video.readyState)).toBe(0)
      loading.resolve()
      await ready(page)
      await expectSoon(() => time(page)).toBeCloseTo(key === 'j' ? 30 : 45, 0)
    },
  )

  it('without JavaScript, the player starts where the person stopped', async () => {
    const prepare = (alice: Person) =>
      alice.library.viewings.record('second', { position_seconds: 25, duration_seconds: minute_s })
    const { page } = await watching({ javaScriptEnabled: false }, { prepare })
    expect(await page.locator('video').getAttribute('src')).toBe('/stream/second#t=25')
    await page.getByRole('link', { name: 'Start over' }).click()
    expect(await page.locator('video').getAttribute('src')).toBe('/stream/second')
    await page.getByRole('link', { name: '0:45' }).click()
    expect(await page.locator('video').getAttribute('src')).toBe('/stream/second#t=45')
  })
})

describe('times in the description', () => {
  it('a time in the description seeks without leaving the page', async () => {
    const { page } = await watching()
    await ready(page)
    await media(page, video => {
      video.muted = true
      video.dataset.same = 'yes'
    })
    await page.getByRole('link', { name: '0:30' }).click()
    await expectSoon(() => time(page)).toBeGreaterThanOrEqual(30)
    expect(await time(page)).toBeLessThan(40)
    expect(await media(page, video => video.dataset.same)).toBe('yes')
  })
})

describe('keys', () => {
  it('keys play, seek, mute, show subtitles and list the keys', async () => {
    const { page } = await watching()
    await ready(page)
    const press = (key: string) => page.keyboard.press(key)
    const is = (read: (video: HTMLVideoElement) => unknown, expected: unknown) =>
      expectSoon(() => media(page, read)).toBe(expected)

    await press('m')
    await is(video => video.muted, true)
    await press('5')
    await is(video => Math.round(video.currentTime), 30)
    await press('ArrowRight')
    await is(video => Math.round(video.currentTime), 35)
    await press('ArrowLeft')
    await press('j')
    await is(video => Math.round(video.currentTime), 20)
    await press('l')
    await is(video => Math.round(video.currentTime), 30)
    await press('c')
    await is(video => video.textTracks[0]?.mode, 'showing')
    await press('c')
    await is(video => video.textTracks[0]?.mode, 'disabled')
    await press('f')
    await expectSoon(() => page.evaluate(() => document.fullscreenElement?.id)).toBe('stage')
    await press('f')
    await expectSoon(() => page.evaluate(() => document.fullscreenElement)).toBeNull()
    for (const key of [' ', 'k']) {
      await press(key)
      await is(video => video.paused, false)
      await press(key)
      await is(video => video.paused, true)
    }
    await press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await press('5')
    await press('Escape')
    await expectSoon(() => page.getByRole('dialog').isVisible()).toBe(false)
  })

  it('keys mark a video as watched, and lead to the newer and the older video', async () => {
    const { alice, page } = await watching()
    await page.keyboard.press('s')
    await page
      .getByRole('button', { name: /^✓? ?Watched/ })
      .first()
      .waitFor()
    expect(await isSeen(alice)).toBe(true)
    await page.keyboard.press('p')
    await page.waitForURL('**/watch/first')
    await page.keyboard.press('n')
    await page.waitForURL('**/watch/second?now')
  })

  it('keys reach the search from the line of the position, and play what is not on disk', async () => {
    const { page } = await watching()
    await ready(page)
    await page.getByRole('slider', { name: 'Position' }).focus()
    await page.keyboard.press('/')
    await expectSoon(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search')

    await page.goto('/watch/third?list=new')
    await page.keyboard.press('k')
    await page.waitForURL('**/watch/third?now&list=new')
  })

  it('the buttons of the player are in view, also in a low window', async () => {
    const { page } = await watching({ viewport: { width: 720, height: 450 } })
    await ready(page)
    const { y = 0, height = 0 } = (await page.getByRole('button', { name: 'Play' }).last().boundingBox()) ?? {}
    expect(y + height).toBeLessThanOrEqual(450)
  })

  it('a menu closes when the file is saved', async () => {
    const { page } = await watching()
    await page.locator('#file .menu > summary').click()
    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Save to this device' }).click()
    await saved
    expect(await page.locator('details.menu[open]').count()).toBe(0)
  })

  it('keys are letters while a person types', async () => {
    const { alice, page } = await watching()
    await ready(page)
    await page.keyboard.press('/')
    await page.keyboard.type('skm5n? ')
    expect(await page.getByRole('combobox').inputValue()).toBe('skm5n? ')
    expect(await media(page, video => [video.paused, video.muted, video.currentTime])).toEqual([true, false, 0])
    expect([await page.getByRole('dialog').count(), await isSeen(alice), page.url()]).toEqual([
      0,
      false,
      expect.stringMatching(/second$/),
    ])
  })
})

describe('the end', () => {
  it('at its end a video is marked as watched on the page, and the next one is offered', async () => {
    const { alice, page } = await watching()
    await ready(page)
    await play(page)
    await media(page, video => {
      video.currentTime = 59.5
    })
    await page.getByRole('link', { name: 'Next: Video third' }).waitFor()
    await page.locator('.facts .mark.seen').waitFor()
    expect(await isSeen(alice)).toBe(true)
    expect(page.url()).toMatch(/second$/)
    await page.reload()
    await ready(page)
    expect(await time(page)).toBe(0)
  })
})

describe('a download that completes while its page is open', () => {
  it('a completed download becomes the player without a reload', async () => {
    const { alice, page } = await watching({}, { path: '/watch/third' })
    const [claim, path] = [crypto.randomUUID(), `${alice.user.user_id}/slow/third.mp4`]
    await page.locator('.facts').getByRole('button', { name: 'Download' }).click()
    await page.locator('.facts').getByRole('button', { name: 'Cancel' }).waitFor()
    await alice.library.downloads.start('third', claim)
    const progress = {
      phase: 'downloading' as const,
      percent: 42,
      downloaded_bytes: 1,
      total_bytes: 2,
      speed: 1,
      eta_seconds: 1,
    }
    await alice.library.downloads.beat('third', claim, progress)
    await page.locator('.facts').getByText('42%').waitFor()
    await copyFile(site.film(), join(site.folder, path))
    await alice.library.downloads.finish(
      'third',
      claim,
      { download_path: path, file_size: 9 },
      async () => {},
      async () => {},
    )

    await ready(page)
    await page.locator('#file a[href="/download/third"]').waitFor({ state: 'attached' })
    await media(page, video => {
      video.muted = true
    })
    await page.getByRole('link', { name: '0:30' }).click()
    await vi.waitFor(async () => expect((await viewing(alice, 'third'))?.position_seconds).toBeGreaterThanOrEqual(30))
  })
})

describe.each([true, false])('undo, with JavaScript: %s', javaScriptEnabled => {
  const start = async () => {
    const prepare = (alice: Person) =>
      alice.library.viewings.record('second', { position_seconds: 20, duration_seconds: minute_s })
    const { alice, page } = await watching({ javaScriptEnabled }, { path: '/', prepare })
    return { alice, page, undo: () => page.locator('#flash').getByRole('button', { name: 'Undo' }).click() }
  }
  const card = (page: Page, title: string) => page.locator('.video', { has: page.getByRole('link', { name: title }) })

  it('marking one video as watched can be undone', async () => {
    const { alice, page, undo } = await start()
    await page.goto('/watch/third')
    await page.locator('.facts .mark button').click()
    await page.locator('.facts .mark.seen').waitFor()
    expect(await isSeen(alice, 'third')).toBe(true)
    await undo()
    await page.locator('.facts .mark.unseen').waitFor()
    expect(await isSeen(alice, 'third')).toBe(false)
  })

  it('marking all videos as watched can be undone', async () => {
    const { alice, page, undo } = await start()
    await page.locator('.list-menu > summary').click()
    await page.getByRole('button', { name: 'Mark all as watched' }).click()
    await page.getByText('3 videos marked as watched.').waitFor()
    expect(await isSeen(alice, 'first')).toBe(true)
    await undo()
    await page.getByText('3 videos marked as unwatched.').waitFor()
    expect(await isSeen(alice, 'first')).toBe(false)
  })

  it('dismissing a started video can be undone', async () => {
    const { page, undo } = await start()
    await page.locator('.begun').getByText('0:40 left').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expectSoon(() => page.locator('.begun').count()).toBe(0)
    await undo()
    await expectSoon(() => page.locator('.begun').count()).toBe(1)
  })

  it('cancelling a download can be undone', async () => {
    const { alice, page, undo } = await start()
    await card(page, 'Video third').getByRole('button', { name: 'Download' }).click()
    await card(page, 'Video third').getByRole('button', { name: 'Cancel' }).click({ delay: 600 })
    await page.locator('#flash').getByText('Cancelled.').waitFor()
    await undo()
    await card(page, 'Video third').getByRole('button', { name: 'Cancel' }).waitFor()
    expect((await viewing(alice, 'third'))?.queued).toBe(true)
  })
})
