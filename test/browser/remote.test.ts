/** In a browser: the player hands a television an address that needs no cookie, and takes its own address again. */
import { expect, it } from 'vitest'
import { expectSoon, media, ready, seekTo, time, useWatching } from '../support/browser/watching.ts'

const { watching } = useWatching()

/** Runs in the page before its scripts: a television is there, and a test decides what the person chooses. */
function fakeTelevision() {
  const television = Object.assign(new EventTarget(), {
    asked_at: '',
    refuses: false,
    watchAvailability: async (say: (is_there: boolean) => void) => say(true),
    prompt: async () => {
      television.asked_at = document.querySelector('video')?.currentSrc ?? ''
      if (television.refuses) throw new DOMException('The person chose none.', 'NotAllowedError')
    },
  })
  Object.defineProperty(HTMLMediaElement.prototype, 'remote', { get: () => television })
  Object.assign(window, { television })
}

declare const television: EventTarget & { asked_at: string; refuses: boolean }

/** The page of a film, at its twentieth second, with a television. */
async function withTelevision() {
  const { alice, page, faults } = await watching()
  await page.addInitScript(fakeTelevision)
  await page.reload()
  await ready(page)
  await seekTo(page, 20)
  const choose = async () => {
    await page.locator('.player-menu > summary').click()
    await page.getByRole('button', { name: 'Play on a TV' }).click()
  }
  const source = () => media(page, video => new URL(video.currentSrc).pathname)
  return { alice, page, faults, choose, source }
}

it('a television gets an address without a cookie, which ends when the video comes back', async () => {
  const { alice, page, faults, choose, source } = await withTelevision()
  await choose()
  await expectSoon(() => page.evaluate(() => television.asked_at)).toMatch(/\/s\/[^/]+\/second\.mp4/)
  await expectSoon(() => time(page)).toBe(20)
  expect(await alice.library.secrets.links()).toMatchObject([{ kind: 'play', video_id: 'second' }])
  const address = await page.evaluate(() => television.asked_at)
  expect((await fetch(address, { method: 'HEAD' })).status).toBe(200)

  await page.evaluate(() => television.dispatchEvent(new Event('disconnect')))
  await expectSoon(source).toBe('/stream/second')
  await expectSoon(() => time(page)).toBe(20)
  await expectSoon(() => alice.library.secrets.links()).toEqual([])
  expect((await fetch(address, { method: 'HEAD' })).status).toBe(404)
  expect(faults).toEqual([])
})

it('a person who chooses no television goes on here', async () => {
  const { alice, page, choose, source } = await withTelevision()
  await page.evaluate(() => {
    television.refuses = true
  })
  await choose()
  await expectSoon(() => page.evaluate(() => television.asked_at)).toContain('/s/')
  await expectSoon(source).toBe('/stream/second')
  await expectSoon(() => alice.library.secrets.links()).toEqual([])
  expect(await page.locator('.said').textContent()).toBe('')
})

it('a browser without a television offers none', async () => {
  const { page } = await watching()
  await ready(page)
  await page.locator('.player-menu > summary').click()
  expect(await page.getByRole('button', { name: 'Play on a TV' }).isVisible()).toBe(false)
})
