/** In a browser: what plays after a video, through the list it is watched in. */
import { describe, expect, it } from 'vitest'
import { viewing } from '../support/app/people.ts'
import { expectSoon, media, play, ready, useWatching } from '../support/browser/watching.ts'

const { watching, put } = useWatching()

/** All three are on disk, and the first and the second are on Watch later. */
const evening = (path: string) =>
  watching(
    {},
    {
      path,
      prepare: async alice => {
        for (const video_id of ['first', 'third']) await put(alice, video_id)
        for (const video_id of ['first', 'second']) await alice.library.viewings.record(video_id, { later: true })
      },
    },
  )
/** After the end, before the next video plays. */
const countdown_ms = 8000
const toEnd = (page: Parameters<typeof play>[0]) =>
  media(page, video => {
    video.currentTime = 59.5
  })

describe('the next video', () => {
  it('it is of the list from which the video was opened, and plays after a countdown', async () => {
    const { page, faults } = await evening('/?later=true')
    await page.getByRole('link', { name: 'Video second' }).click()
    await page.waitForURL(/\/watch\/second\?.*list=later/)
    await page.getByText('1 of 2 on disk in Watch later').waitFor()
    await ready(page)
    await play(page)
    await page.clock.install()
    await toEnd(page)
    await page.getByText(/^Plays in \d s$/).waitFor()
    await page.clock.runFor(countdown_ms)
    await page.waitForURL(/\/watch\/first\?.*list=later/)
    await expectSoon(() => media(page, video => video.paused)).toBe(false)
    await toEnd(page)
    await page.getByText('That was the last of Watch later on disk.').waitFor()
    expect(faults).toEqual([])
  })

  it('in full screen it plays in the same page, which stays full, and Back leads to the video before', async () => {
    const { alice, page, faults } = await evening('/watch/second')
    await ready(page)
    await page.getByRole('button', { name: 'Full screen' }).click()
    const full = () => page.evaluate(() => document.fullscreenElement?.id)
    await expectSoon(full).toBe('stage')
    await play(page)
    await page.clock.install()
    await toEnd(page)
    await page.getByText(/^Plays in \d s$/).waitFor()
    await page.clock.runFor(countdown_ms)

    await page.waitForURL('**/watch/third?now')

    await expectSoon(() =>
      media(page, ({ paused, currentSrc }) => [paused, currentSrc.endsWith('/stream/third')]),
    ).toEqual([false, true])
    expect(await full()).toBe('stage')
    expect(await page.title()).toContain('Video third')
    expect(await page.locator('h1').textContent()).toBe('Video third')
    expect(await page.locator('.up-next').isVisible()).toBe(false)
    expect((await viewing(alice, 'second')).seen).toBe(true)
    expect(await page.getByRole('button', { name: 'Full screen' }).getAttribute('aria-pressed')).toBe('true')
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.act)).toBe('full')

    const { promise: freed, resolve: free } = Promise.withResolvers<void>()
    await page.route('**/watch/second', async route => {
      await freed
      await route.continue()
    })
    for (const key of ['p', 'p']) await page.keyboard.press(key)
    free()
    await expectSoon(() => page.locator('h1').textContent()).toBe('Video second')
    expect(await full()).toBe('stage')
    await page.goBack()
    await page.waitForURL('**/watch/third?now')
    await expectSoon(() => page.locator('h1').textContent()).toBe('Video third')
    expect(faults).toEqual([])
  })

  it('it waits where the person stays, and where the countdown is turned off', async () => {
    const { page } = await evening('/watch/second')
    await ready(page)
    await play(page)
    await toEnd(page)
    await page.getByRole('link', { name: 'Next: Video third' }).waitFor()
    await page.getByRole('button', { name: 'Stay here' }).click()
    await expectSoon(() => page.locator('.up-next .count').textContent()).toBe('')

    await page.locator('.player-menu summary').click()
    await page.getByRole('button', { name: 'Play the next video' }).click()
    await page.reload()
    await ready(page)
    await play(page)
    await toEnd(page)
    await page.getByRole('button', { name: 'Play now' }).waitFor()
    expect(await page.locator('.up-next .count').textContent()).toBe('')
    await page.getByRole('button', { name: 'Play now' }).click()
    await page.waitForURL('**/watch/third?now')
  })

  it('the countdown is turned on and off in the settings too', async () => {
    const { page, faults } = await evening('/settings')
    const playsNext = page.getByLabel('Play the next video')
    expect(await playsNext.isChecked()).toBe(true)
    await playsNext.uncheck()
    await page.locator('#next').getByText('Saved').waitFor()

    await page.goto('/watch/second')
    await ready(page)
    await page.locator('.player-menu summary').click()
    await page.getByRole('button', { name: 'Play the next video', pressed: false }).click()
    await page.goto('/settings')
    await expectSoon(() => playsNext.isChecked()).toBe(true)
    expect(faults).toEqual([])
  })

  it('the keys for the next and the previous video follow the list', async () => {
    const { page } = await evening('/watch/second?list=later')
    await page.keyboard.press('n')
    await page.waitForURL(/\/watch\/first\?.*list=later/)
    await page.keyboard.press('p')
    await page.waitForURL(/\/watch\/second\?.*list=later/)
    expect(await page.locator('h1').textContent()).toBe('Video second')
  })
})
