/** In a browser: pictures are loaded from this site only, and appear when they are stored. */
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { entry, type Person, person } from '../support/app/people.ts'
import { storePicture } from '../support/app/pictures.ts'
import { narrow, useSite } from '../support/browser/site.ts'

const site = useSite()

const hostile = [
  'https://tracker.example/pixel.png',
  'https://i.ytimg.com/vi/a/hqdefault.jpg',
  '//tracker.example/pixel.png',
  'https://tracker.example/"><img src=https://tracker.example/2.png>',
  'https://tracker.example/, https://tracker.example/3.png 2x',
]

/** A channel with fifty videos, half of whose pictures are stored. */
async function fifty(): Promise<Person> {
  const alice = await person(site.sql, 'alice')
  const image_url = 'https://tracker.example/face.png'
  const addressOf = (at: number) =>
    at % 2 ? `${hostile[at % hostile.length]}?${at}` : `https://stored.example/${at}.jpg`
  await alice.library.channels.save(
    { channel_id: 'kitchen', title: 'Kitchen', rss_url: 'https://videos.example/kitchen', image_url },
    Array.from({ length: 50 }, (_, at) => entry(`v${at}`, { thumbnail_url: addressOf(at) })),
  )
  for (let at = 0; at < 50; at += 2) await storePicture(site, 'video', addressOf(at))
  return alice
}

/** A channel of so many videos, whose pictures are all stored. */
async function pictured(channel_id: string, videos: number): Promise<Person> {
  const alice = await person(site.sql, 'alice')
  const entries = Array.from({ length: videos }, (_, at) => entry(`${channel_id}${at}`))
  await alice.library.channels.save({ channel_id, title: 'Pictured', rss_url: 'https://videos.example/p' }, entries)
  for (const { video_id } of entries) await storePicture(site, 'video', `https://videos.example/${video_id}.jpg`)
  return alice
}

/** The requests of a page by origin, from now on. */
function requestsBy(page: Page) {
  const counts: Record<string, number> = {}
  page.on('request', request => {
    const { origin } = new URL(request.url())
    counts[origin] = (counts[origin] ?? 0) + 1
  })
  return counts
}

const loaded = (page: Page) =>
  page.evaluate(() => [...document.images].filter(image => image.complete && image.naturalWidth > 0).length)

it('a page of fifty cards loads all pictures, and from one origin, whatever addresses the feed names', async () => {
  const alice = await fifty()
  const check = async (javaScriptEnabled: boolean) => {
    const { page, faults } = await site.open(alice, { javaScriptEnabled, viewport: { width: 1280, height: 6_000 } })
    for (const path of ['/', '/channels/kitchen', '/watch/v0', '/watch/v1', '/search?q=video', '/channels']) {
      const counts = requestsBy(page)
      await page.goto(path, { waitUntil: 'networkidle' })
      expect(Object.keys(counts), path).toEqual([new URL(page.url()).origin])
      expect(faults, path).toEqual([])
      // Without a script the browser loads the pictures of all cards. Every second one of the 24 on the first page is stored.
      if (!javaScriptEnabled && path === '/') expect(await page.locator('.thumbnail img').count()).toBe(12)
    }
  }
  // Together, because each mostly waits until nothing is requested.
  await Promise.all([true, false].map(check))
})

/** 400 kbit/s. */
const bytes_per_s = 50_000
/** For the page, its stylesheet and its pictures, at 400 ms each. */
const three_round_trips_s = 1.2
/** Of thumbnails with much detail, as they are stored, with headers. */
const small_picture_bytes = 7500

/** As many cards as a laptop shows before scrolling. */
const first_screen = 12

/** A picture of this width. */
const wide = (width: number) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width / 2}"/>`)

it.each([
  ['a screen of one pixel per CSS pixel', 1, 500, '4g', []],
  ['a screen of two pixels per CSS pixel on a fast line', 2, 500, '4g', Array.from({ length: 3 }, () => 'large')],
  ['a screen of two pixels per CSS pixel on a line that loads the page slowly', 2, 1500, '4g', []],
  ['a screen of two pixels per CSS pixel on a line that the browser calls slow', 2, 500, '3g', []],
  ['a screen of two pixels per CSS pixel without a script', 2, null, '4g', []],
] as const)(
  '%s loads the right pictures: large ones only for cards in sight, and only after the small ones of the first screen',
  async (_, deviceScaleFactor, loadEventEnd, effectiveType, expected) => {
    const alice = await pictured('sharp', 40)
    const viewport = { width: 1000, height: 400 }
    const { page } = await site.open(alice, { deviceScaleFactor, javaScriptEnabled: loadEventEnd !== null, viewport })
    await page.addInitScript(
      line => {
        performance.getEntriesByType = () => [line] as unknown as PerformanceEntryList
        Object.defineProperty(navigator, 'connection', { value: line })
      },
      { loadEventEnd, effectiveType },
    )
    await page
      .context()
      .route('**/pictures/**', (route, request) =>
        route.fulfill({ contentType: 'image/svg+xml', body: wide(request.url().endsWith('large') ? 960 : 320) }),
      )
    const sizes: (string | undefined)[] = []
    page.on('request', request => request.url().includes('/pictures/') && sizes.push(request.url().split('/').at(-1)))
    await page.goto('/')
    await page.waitForLoadState('networkidle')
    await expect.poll(() => sizes.filter(size => size === 'large')).toEqual(expected)
    expect(sizes.indexOf('large')).toBe(expected.length === 0 ? -1 : first_screen)
  },
)

it('a phone fetches no more than twelve pictures of a page of fifty before it is scrolled, all of them small', async () => {
  const { page } = await site.open(await fifty(), narrow)
  const session = await page.context().newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
    connectionType: 'cellular3g',
  })
  const sizes: (string | undefined)[] = []
  page.on('request', request => request.url().includes('/pictures/') && sizes.push(request.url().split('/').at(-1)))
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  expect(sizes.length).toBeGreaterThanOrEqual(1)
  expect(sizes.length).toBeLessThanOrEqual(12)
  expect(sizes).not.toContain('large')
})

it('a laptop on a slow line fetches what six seconds can carry, and further pictures when they are near', async () => {
  const { page, faults } = await site.open(await pictured('line', 50), { viewport: { width: 1280, height: 800 } })
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: bytes_per_s,
    uploadThroughput: bytes_per_s,
    connectionType: 'cellular3g',
  })
  let pictures = 0
  let bytes = 0
  page.on('request', request => (pictures += Number(request.url().includes('/pictures/'))))
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  await page.addInitScript(() => {
    performance.getEntriesByType = () => [{ loadEventEnd: 3000 }] as unknown as PerformanceEntryList
  })
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  expect(pictures).toBe(12)
  // The stored pictures of this test have one pixel each.
  expect(bytes + pictures * small_picture_bytes).toBeLessThan((6 - three_round_trips_s) * bytes_per_s)

  await page.locator('article.video').nth(20).scrollIntoViewIfNeeded()
  await expect.poll(() => page.locator('article.video').nth(20).locator('.thumbnail img').count()).toBe(1)
  expect(faults).toEqual([])
})

it('a picture that is stored after the page was sent appears without a reload, and nothing shifts', async () => {
  const alice = await person(site.sql, 'alice')
  const image_url = 'https://videos.example/later-face.png'
  await alice.library.channels.save(
    { channel_id: 'later', title: 'Later', rss_url: 'https://videos.example/later', image_url },
    [entry('later'), entry('never', { thumbnail_url: null })],
  )
  const { page, faults } = await site.openAt('/channels/later', alice)
  // The video, and the channel in the heading and in the column.
  await page.locator('.library-column summary').click()
  await expect.poll(() => page.locator('[data-awaits]').count()).toBe(3)
  const before = await page.locator('article.video').first().boundingBox()

  await storePicture(site, 'video', 'https://videos.example/later.jpg')
  await storePicture(site, 'channel', image_url)

  await expect.poll(() => loaded(page)).toBe(4)
  expect(await page.locator('main .avatar img').getAttribute('src')).toMatch(/large$/)
  expect(await page.locator('.thumbnail img').getAttribute('src')).toMatch(/small$/)
  expect(await page.locator('article.video').first().boundingBox()).toEqual(before)
  expect(faults).toEqual([])
})

it('a page that misses no picture does not ask for any', async () => {
  const alice = await person(site.sql, 'alice')
  await alice.library.channels.save(
    { channel_id: 'complete', title: 'Complete', rss_url: 'https://videos.example/complete' },
    [entry('complete'), entry('plain', { thumbnail_url: null })],
  )
  await storePicture(site, 'video', 'https://videos.example/complete.jpg')
  const { page } = await site.open(alice)
  await page.clock.install()
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  await page.goto('/channels/complete')
  await page.clock.runFor(60_000)
  await page.waitForLoadState('networkidle')
  expect(asked).not.toContain('/pictures')
})

it('a page asks for a picture that does not come only a few times', async () => {
  const alice = await person(site.sql, 'alice')
  await alice.library.channels.save(
    { channel_id: 'slow', title: 'Slow', rss_url: 'https://videos.example/slow' },
    Array.from({ length: 30 }, (_, at) => entry(`slow${at}`)),
  )
  const { page } = await site.open(alice)
  await page.clock.install()
  const isAboutPictures = (url: string) => Number(new URL(url).pathname === '/pictures')
  let asked = 0
  let answered = 0
  page.on('request', request => (asked += isAboutPictures(request.url())))
  page.on('requestfinished', request => (answered += isAboutPictures(request.url())))
  await page.goto('/channels/slow')
  for (let minute = 0; minute < 40; minute += 1) {
    await page.clock.runFor(5000)
    await vi.waitFor(() => expect(answered).toBe(asked))
  }
  expect(asked).toBe(6)
})
