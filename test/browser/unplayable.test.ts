/** In a browser: a video arrives, or is on disk, in a form that the browser cannot play, broken, late, or not at all. */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { codecsOf } from '../../src/domain/watching/codecs.ts'
import { personWith } from '../support/app/people.ts'
import { hurry, installClock } from '../support/browser/clock.ts'
import { useSite } from '../support/browser/site.ts'
import { getFilm, long_s } from '../support/media/films.ts'

const site = useSite()
/** A box of MP4 that is shorter than its own header. */
const broken = Buffer.from([0, 0, 0, 4, ...Buffer.from('moov')])

const playlist = {
  contentType: 'application/vnd.apple.mpegurl',
  body: '#EXTM3U\n#EXT-X-MAP:URI="run/init.mp4"\n#EXTINF:1.0,\nrun/0.m4s\n#EXTINF:1.0,\nrun/1.m4s\n',
}
const all_broken = () => broken

/** alice waits for a video of two parts, which are of this type. `bytesOf` gets the name of a file and how often it was requested. */
async function waiting(type: string, bytesOf: (name: string, times: number) => Buffer = all_broken) {
  const alice = await personWith(site.sql, 'alice', 'kitchen', ['v'])
  await alice.library.downloads.request(['v'])
  const { page, faults } = await site.open(alice)
  const asked: string[] = []
  const times = (name: string) => asked.filter(one => one === name).length
  await page.route('**/stream/v/**', async route => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
    asked.push(name)
    if (name === 'index.m3u8') return route.fulfill(playlist)
    return route.fulfill({ contentType: type, body: bytesOf(name, times(name)) })
  })
  await installClock(page)
  await page.goto('/watch/v?now')
  return { alice, page, faults, times }
}

const positionIn = (page: Page) => page.locator('video').evaluate((media: HTMLVideoElement) => media.currentTime)

const sentence = 'Your browser can play this format only when it is complete.'

it('a format that the browser does not know is said once, stays said, and is fetched no further', async () => {
  const { page, times } = await waiting('video/mp4; codecs="unknown.1"')
  await hurry(page, page.getByText(sentence).waitFor())
  const asked = times('index.m3u8')
  await hurry(page, () => expect(times('index.m3u8')).toBeGreaterThan(asked + 1))
  expect(await page.locator('.arriving-words').textContent()).toBe(sentence)
  expect([times('init.mp4'), times('0.m4s')]).toEqual([1, 0])
})

it('parts that the browser cannot read are tried again three times, and then no more', async () => {
  const { page, faults, times } = await waiting('video/mp4; codecs="avc1.42E01E"')
  await hurry(page, page.getByText(sentence).waitFor({ timeout: 60_000 }))
  const fetched = times('init.mp4')
  const asked = times('index.m3u8')
  await hurry(page, () => expect(times('index.m3u8')).toBeGreaterThan(asked + 1))
  expect([fetched, times('init.mp4')]).toEqual([4, 4])
  expect(faults).toEqual([])
})

/** The beginning of a film and its parts, each of a second, by the names that the playlist gives them. */
async function partsOfFilm() {
  const film = async (name: string) => readFile(await getFilm(`/long-dash/${name}.m4s`))
  const init = await film('init-stream0')
  const parts = await Promise.all(
    Array.from({ length: long_s }, (_, n) => film(`chunk-stream0-${String(n + 1).padStart(5, '0')}`)),
  )
  const part = (name: string) => (name === 'init.mp4' ? init : (parts[Number.parseInt(name, 10)] ?? all_broken()))
  return { part, second: part('1.m4s'), type: `video/mp4; codecs="${codecsOf(init)}"` }
}

/** From now on, so many seconds of the film have arrived. `more`: another line of the playlist. Returns how often it was requested. */
async function haveArrived(page: Page, seconds: number, more = ''): Promise<() => number> {
  let asked = 0
  const parts = Array.from({ length: seconds }, (_, n) => `#EXTINF:1.0,\nrun/${n}.m4s\n`)
  const head = `#EXTM3U\n#EXT-X-BACKLOT-DURATION:${long_s}\n${more}#EXT-X-MAP:URI="run/init.mp4"\n`
  await page.route('**/stream/v/index.m3u8', route => {
    asked += 1
    return route.fulfill({ ...playlist, body: head + parts.join('') })
  })
  return () => asked
}

it('after the film stopped for want of parts, it goes on with several seconds', async () => {
  const { part, type } = await partsOfFilm()
  const { page, times } = await waiting(type, part)
  await haveArrived(page, 2)
  const isStopped = () => page.locator('video').evaluate((media: HTMLVideoElement) => media.readyState === 2)
  await hurry(page, async () => expect([(await positionIn(page)) > 1, await isStopped()]).toEqual([true, true]))

  const words = page.locator('.arriving-words')
  const starting = { status: 404, headers: { 'retry-after': '2' }, body: 'The download starts in a moment…' }
  await page.route('**/stream/v/index.m3u8', route => route.fulfill(starting))
  await hurry(page, async () => expect(await words.textContent()).toBe(starting.body))

  const asked = await haveArrived(page, 3)
  await hurry(page, () => expect(asked()).toBeGreaterThan(2))
  expect(times('2.m4s')).toBe(0)
  await hurry(page, async () => expect(await words.textContent()).toBe('Waiting for more of the video…'))

  await haveArrived(page, long_s)
  await hurry(page, async () => expect(await positionIn(page)).toBeGreaterThan(3))
  expect(await words.textContent()).toBe('')
})

it.each([
  { what: 'of the seconds before it where a part may begin without a key frame', more: '', before: 1 },
  { what: 'that has it alone where each part begins with one', more: '#EXT-X-INDEPENDENT-SEGMENTS\n', before: 0 },
])('a place that is sought and then arrives is shown with the parts $what', async ({ more, before }) => {
  const { part, type } = await partsOfFilm()
  const { page, faults, times } = await waiting(type, part)
  await haveArrived(page, 2, more)
  const length = () => page.locator('video').evaluate((media: HTMLVideoElement) => media.duration)
  await hurry(page, async () => expect(await length()).toBe(long_s))
  await page.locator('video').evaluate((media: HTMLVideoElement) => {
    media.currentTime = 8.2
  })
  await haveArrived(page, long_s, more)
  await hurry(page, async () => expect(await positionIn(page)).toBeGreaterThan(8.5))
  expect([times('3.m4s'), times('8.m4s')]).toEqual([before, 1])
  expect(faults).toEqual([])
})

it('a broken part is fetched again, and the video plays on', async () => {
  const { part, second, type } = await partsOfFilm()
  // The first picture seems longer than the part.
  const spoilt = Buffer.from(second)
  spoilt.writeUInt32BE(0x7fffffff, spoilt.indexOf('mdat') + 4)
  const bytesOf = (name: string, times: number) => (name === '1.m4s' && times === 1 ? spoilt : part(name))
  const { page, faults, times } = await waiting(type, bytesOf)
  // More of it, because the player says that it waits where the film ends.
  await haveArrived(page, long_s)

  await hurry(page, async () => expect(await positionIn(page)).toBeGreaterThan(1.2))

  expect(times('1.m4s')).toBe(2)
  await hurry(page, async () => expect(await page.locator('.arriving-words').textContent()).toBe(''))
  expect(faults).toEqual([])
})

it('a length that is known only after the first parts is the length of the player', async () => {
  const { part, type } = await partsOfFilm()
  const { page, faults } = await waiting(type, part)
  const length = () => page.locator('video').evaluate((media: HTMLVideoElement) => media.duration)
  await hurry(page, async () => expect(await length()).toBe(Number.POSITIVE_INFINITY))

  const body = playlist.body.replace('\n', '\n#EXT-X-BACKLOT-DURATION:12\n')
  await page.route('**/stream/v/index.m3u8', route => route.fulfill({ ...playlist, body }))
  await hurry(page, async () => expect(await length()).toBe(12))

  await hurry(page, async () => expect(await positionIn(page)).toBeGreaterThan(1.2))
  expect(faults).toEqual([])
})

it.each([
  ['playlist', playlist],
  ['refusal', { status: 404, contentType: 'text/plain', body: 'This video is not being downloaded any more.' }],
])('a %s that comes late changes nothing of the finished film', async (_, late_answer) => {
  const { alice, page, faults } = await waiting('video/mp4')
  const late = Promise.withResolvers<Route>()
  await page.route('**/stream/v/index.m3u8', route => late.resolve(route))
  const route = await hurry(page, late.promise)
  await site.finishesFilm(alice, 'v')
  await vi.waitFor(async () => expect(await positionIn(page)).toBeGreaterThan(0))

  const came = page.waitForResponse('**/stream/v/index.m3u8')
  await route.fulfill(late_answer)
  await (await came).finished()

  const position = await positionIn(page)
  await vi.waitFor(async () => expect(await positionIn(page)).toBeGreaterThan(position + 1))
  expect(await page.locator('video').evaluate((media: HTMLVideoElement) => media.currentSrc)).toMatch(/\/stream\/v$/)
  expect(await page.locator('.arriving-words').allTextContents()).not.toContain(late_answer.body)
  expect(faults.filter(fault => !fault.includes('404'))).toEqual([])
})

/** alice's video is on disk. `answer` decides what the server sends of it. */
async function onDisk(path: string, answer?: (route: Route) => Promise<void>) {
  const alice = await personWith(site.sql, 'alice', 'kitchen', ['v'])
  await site.finishesFilm(alice, 'v')
  const { page, faults } = await site.open(alice)
  const film = await readFile(await getFilm('/minute.mp4'))
  const server = { answer }
  await page.route('**/stream/v', route => (server.answer ? server.answer(route) : route.continue()))
  await page.goto(path)
  return { alice, page, faults, film, server }
}

const alert = (page: Page) => page.locator('.fault').getByRole('alert')
const helps = (page: Page) => page.locator('.fault .actions > :visible').allInnerTexts()
const isPlaying = (page: Page) => vi.waitFor(async () => expect(await positionIn(page)).toBeGreaterThan(0.3), 30_000)
const sends =
  (body: Buffer, status = 200) =>
  (route: Route) =>
    route.fulfill({ status, contentType: 'video/mp4', body })

it('a file that is missing says so before it is played, and is downloaded again', async () => {
  const { alice, page } = await onDisk('/channels')
  await rm(join(site.folder, alice.user.user_id, 'kitchen', 'v.mp4'))
  await page.goto('/watch/v')
  await alert(page).getByText('The file of this video is missing on the server.').waitFor()
  expect(await helps(page)).toEqual(['Download again', 'Open on videos.example'])

  await page.getByRole('button', { name: 'Download again' }).click()

  await page.waitForURL('**/watch/v?now')
  expect((await alice.library.videos.find('v'))?.queued).toBe(true)
})

it('a broken file says so, Play loads it again, and Download again replaces it', async () => {
  const { alice, page, server } = await onDisk('/watch/v?now', sends(Buffer.from('not a film')))
  await alert(page).getByText("This file can't be played.").waitFor()
  expect(await helps(page)).toEqual(['Try again', 'Download again', 'Open on videos.example'])

  for (const name of ['Play', 'Try again']) {
    await page.getByRole('button', { name, exact: true }).click()
    // What was said before the press is hidden when the file is loaded again.
    await page.waitForFunction(() => document.querySelector('video')?.error)
    await alert(page).getByText("This file can't be played.").waitFor()
  }
  server.answer = undefined
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await isPlaying(page)
  await alert(page).waitFor({ state: 'hidden' })

  server.answer = sends(Buffer.from('not a film'))
  await page.reload()
  await page.getByRole('button', { name: 'Download again' }).click()
  await page.locator('[data-arriving]').waitFor({ state: 'attached' })
  expect(await alice.library.videos.find('v')).toMatchObject({ download_status: 'pending', queued: true })
})

it('a codec that the browser lacks is named, and nothing is offered that would not help', async () => {
  const entry = Buffer.concat([Buffer.from('stsd'), Buffer.alloc(12), Buffer.from('hvc1'), Buffer.alloc(40)])
  const { page } = await onDisk('/watch/v', sends(entry))
  await alert(page).getByText('This browser cannot show HEVC.').waitFor()
  expect(await helps(page)).toEqual(['Save to this device', 'Open on videos.example'])
})

it.each([
  ['does not answer', (route: Route) => route.abort('connectionrefused')],
  ['has a problem', sends(Buffer.from(''), 503)],
])('while the server %s, the file is tried again, and plays when the server is back', async (_, answer) => {
  const { page, server } = await onDisk('/watch/v?now', answer)
  await alert(page).getByText('The connection is lost. Trying again…').waitFor()
  expect(await helps(page)).toEqual(['Try again'])
  server.answer = undefined
  await isPlaying(page)
  await alert(page).waitFor({ state: 'hidden' })
})

it('a connection that is lost while a video plays is said, and the video plays on where it was', async () => {
  const { page, film, server } = await onDisk('/channels')
  const part = Math.ceil(film.length / 4)
  server.answer = async route => {
    const [, first] = /bytes=(\d+)/.exec(route.request().headers().range ?? '') ?? []
    if (Number(first ?? 0) > 0) return route.abort('connectionreset')
    const headers = { 'accept-ranges': 'bytes', 'content-range': `bytes 0-${part - 1}/${film.length}` }
    await route.fulfill({ status: 206, headers, contentType: 'video/mp4', body: film.subarray(0, part) })
  }
  await page.goto('/watch/v')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await isPlaying(page)
  server.answer = route => route.abort('connectionreset')
  await page.locator('video').evaluate((media: HTMLVideoElement) => {
    media.currentTime = 40
  })
  await alert(page).getByText('The connection is lost. Trying again…').waitFor()
  server.answer = undefined
  await vi.waitFor(async () => expect(await positionIn(page)).toBeGreaterThan(40.3), 60_000)
  await alert(page).waitFor({ state: 'hidden' })
})

it('a connection that is lost while a video arrives is said until it is back', async () => {
  const { part, type } = await partsOfFilm()
  const { page } = await waiting(type, part)
  await hurry(page, async () => expect(await positionIn(page)).toBeGreaterThan(0))
  await page.route('**/stream/v/index.m3u8', route => route.abort('connectionreset'))
  await hurry(page, page.getByText('The connection is lost. Trying again…').waitFor())
  // More than before, because the player says that it waits where the film ends.
  await haveArrived(page, long_s)
  await hurry(page, async () => expect(await page.locator('.arriving-words').textContent()).toBe(''))
})
