/** In a browser: a video arrives in a form that the browser cannot play. */
import { expect, it } from 'vitest'
import { personWith } from '../support/app/people.ts'
import { hurry, installClock } from '../support/browser/clock.ts'
import { useSite } from '../support/browser/site.ts'

const site = useSite()
/** A box of MP4 that is shorter than its own header. */
const broken = Buffer.from([0, 0, 0, 4, ...Buffer.from('moov')])

/** alice waits for a video whose parts are of this type, and broken. */
async function waiting(type: string) {
  const alice = await personWith(site.sql, 'alice', 'kitchen', ['v'])
  await alice.library.downloads.request(['v'])
  const { page, faults } = await site.open(alice)
  const asked: string[] = []
  await page.route('**/stream/v/**', async route => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
    asked.push(name)
    const playlist = '#EXTM3U\n#EXT-X-MAP:URI="run/init.mp4"\n#EXTINF:4.0,\nrun/0.m4s\n#EXTINF:4.0,\nrun/1.m4s\n'
    if (name === 'index.m3u8') return route.fulfill({ contentType: 'application/vnd.apple.mpegurl', body: playlist })
    return route.fulfill({ contentType: type, body: broken })
  })
  await installClock(page)
  await page.goto('/watch/v?now')
  const times = (name: string) => asked.filter(one => one === name).length
  return { page, faults, times }
}

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
