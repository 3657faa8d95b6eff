/** The player's own controls in a browser: what they do, what they remember, and that they survive a change of the file. */
import { describe, expect, it } from 'vitest'
import type { Person } from '../support/app/people.ts'
import { stopTime } from '../support/browser/clock.ts'
import { expectSoon, media, play, ready, time, useWatching } from '../support/browser/watching.ts'

const site = useWatching()
const { watching } = site

describe('the controls', () => {
  it('our controls replace the ones of the browser, which stay where there is no script', async () => {
    const { page } = await watching()
    await ready(page)
    expect(await media(page, video => video.controls)).toBe(false)
    expect(await page.getByRole('button', { name: 'Play', exact: true }).isVisible()).toBe(true)

    const { page: plain } = await watching({ javaScriptEnabled: false })
    expect(await plain.locator('video').getAttribute('controls')).not.toBeNull()
    expect(await plain.locator('.bar').isVisible()).toBe(false)
  })

  it('the buttons play, pause, skip and mute, and show what the player does', async () => {
    const { page } = await watching()
    await ready(page)
    await page.getByRole('button', { name: 'Mute', exact: true }).click()
    expect(await media(page, video => video.muted)).toBe(true)
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await expectSoon(() => media(page, video => video.paused)).toBe(true)
    await page.keyboard.press('l')
    await expectSoon(() => time(page)).toBeGreaterThanOrEqual(10)
    await page.getByText(/^0:1\d \/ 1:00$/).waitFor()
    await page.keyboard.press('j')
    await expectSoon(() => time(page)).toBeLessThan(10)
  })

  it('the line of the position seeks, to the end of what has arrived at most, and says the time in words', async () => {
    const { page } = await watching()
    await ready(page)
    const line = page.getByRole('slider', { name: 'Position' })
    await line.fill('45')
    await expectSoon(() => time(page)).toBe(45)
    await expectSoon(() => line.getAttribute('aria-valuetext')).toBe('45 seconds')
    await line.focus()
    await page.keyboard.press('ArrowRight')
    await expectSoon(() => time(page)).toBe(50)

    await media(page, video => {
      video.dataset.arrived = '31'
      video.dispatchEvent(new Event('arrived', { bubbles: true }))
    })
    await page.keyboard.press('9')
    await page.getByText('Arrived to 0:31 so far.').waitFor()
    await expectSoon(() => time(page)).toBe(30.5)
    expect(await page.locator('.timeline.arriving').count()).toBe(1)
  })

  it('in full screen the controls stay, and fade only while nothing moves', async () => {
    const { page } = await watching()
    await ready(page)
    await play(page)
    await page.clock.install()
    await page.getByRole('button', { name: 'Full screen' }).click()
    await expectSoon(() => page.evaluate(() => document.fullscreenElement?.id)).toBe('stage')
    await page.clock.runFor(3000)
    await page.locator('.stage.resting').waitFor()
    await page.mouse.move(300, 300)
    await expectSoon(() => page.locator('.stage.resting').count()).toBe(0)
    await page.keyboard.press('f')
    await expectSoon(() => page.evaluate(() => document.fullscreenElement)).toBeNull()
  })
})

it.each([
  ['by style', true, 'auto'],
  ['by the place of the cue, in a browser without that part', false, 82],
])('subtitles are above the edge of the picture %s', async (_, is_known, line) => {
  const { page } = await watching({}, { path: '/channels' })
  if (!is_known)
    await page.addInitScript(() => {
      CSS.supports = () => false
    })
  await page.goto('/watch/second')
  await ready(page)
  await page.keyboard.press('c')
  const place = () => media(page, ({ textTracks }) => (textTracks[0]?.cues?.[0] as VTTCue | undefined)?.line)
  await expectSoon(place).toBe(line)
})

describe('what is remembered', () => {
  it('speed, volume, subtitles and theatre are as they were on the last page', async () => {
    const { page, faults } = await watching()
    await ready(page)
    await page.locator('.player-menu summary').click()
    await page.getByLabel('Speed').selectOption('1.5')
    await page.getByRole('combobox', { name: 'Subtitles', exact: true }).selectOption('English')
    await page.getByLabel('Size of subtitles').selectOption('Large')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Mute', exact: true }).hover()
    await page.getByRole('slider', { name: 'Volume' }).fill('0.5')
    await page.keyboard.press('t')
    // The browser says a change of the volume later than the field.
    await expectSoon(() => page.evaluate(() => localStorage.getItem('player-volume'))).toBe('0.5')

    await page.reload()
    await ready(page)
    const is = await media(page, ({ playbackRate, volume, textTracks, dataset }) => [
      playbackRate,
      volume,
      textTracks[0]?.mode,
      dataset.cues,
    ])
    expect(is).toEqual([1.5, 0.5, 'showing', 'large'])
    expect(await page.locator('.watch.theatre').count()).toBe(1)
    expect(await page.locator('[data-act="theatre"]').getAttribute('aria-pressed')).toBe('true')
    expect(await page.locator('.controls > [data-act="subtitles"]').getAttribute('aria-pressed')).toBe('true')
    await page.locator('.controls > [data-act="subtitles"]').click()
    expect(await media(page, video => video.textTracks[0]?.mode)).toBe('disabled')
    expect(faults).toEqual([])
  })

  it('the speed of a channel wins over that of the others', async () => {
    const { page } = await watching()
    await ready(page)
    await page.keyboard.press('>')
    await page.evaluate(() => localStorage.setItem('player-speed', '2'))
    await page.reload()
    await ready(page)
    expect(await media(page, video => video.playbackRate)).toBe(1.25)
    await page.evaluate(() => localStorage.removeItem('player-speed slow'))
    await page.reload()
    await ready(page)
    expect(await media(page, video => video.playbackRate)).toBe(2)
  })

  it('speed, mute, loop and subtitles stay when the file of the player changes', async () => {
    const { page } = await watching()
    await ready(page)
    for (const key of ['>', 'm', 'c']) await page.keyboard.press(key)
    await page.locator('.player-menu summary').click()
    await page.getByRole('button', { name: 'Loop' }).click()
    await media(page, video => {
      video.src = '/stream/second#t=20'
    })
    await expectSoon(() => time(page)).toBe(20)
    const is = await media(page, ({ playbackRate, muted, loop, textTracks, controls }) => [
      playbackRate,
      muted,
      loop,
      textTracks[0]?.mode,
      controls,
    ])
    expect(is).toEqual([1.25, true, true, 'showing', false])
  })

  it('sound only hides the picture, for this channel, and the sound goes on', async () => {
    const { page } = await watching()
    await ready(page)
    await page.locator('.player-menu summary').click()
    await page.getByRole('button', { name: 'Sound only' }).click()
    expect(await page.locator('video').isVisible()).toBe(false)
    await page.reload()
    await expectSoon(() => page.locator('video').isVisible()).toBe(false)
    await play(page)
  })
})

it('the picture says where the video resumed for a while, the menu says the size, and Next leads on', async () => {
  const { page } = await watching(
    {},
    { prepare: alice => alice.library.viewings.record('second', { position_seconds: 25, duration_seconds: 60 }) },
  )
  await ready(page)
  expect(await page.locator('.big-play').isVisible()).toBe(true)
  await page.getByText('Resumed at 0:25').waitFor()
  await page.locator('.player-menu summary').click()
  await page.getByText('Quality: 90p').waitFor()
  await page.keyboard.press('Escape')
  await page.clock.install()
  await play(page)
  expect(await page.locator('.big-play').isVisible()).toBe(false)
  await page.clock.runFor(5000)
  await page.getByText('Resumed at 0:25').waitFor({ state: 'hidden' })
  await page.locator('.bar').getByRole('link', { name: 'Next: Video third' }).click()
  await page.waitForURL('**/watch/third')
})

describe('chapters', () => {
  it('they are marked on the line, the current one in the list, and a press seeks', async () => {
    const chapters = [
      { start_seconds: 0, title: 'Start' },
      { start_seconds: 20, title: 'The dough' },
      { start_seconds: 40, title: 'The oven' },
    ]
    const prepare = ({ user }: Person) =>
      site.sql`update video_entries set chapters = ${site.sql.json(chapters)} where user_id = ${user.user_id}`
    const { page } = await watching({}, { prepare })
    await ready(page)
    await expectSoon(() => page.locator('.marks > .chapter').count()).toBe(3)
    await page.locator('#chapters > summary').click()
    await page.getByRole('link', { name: 'The oven' }).click()
    await expectSoon(() => time(page)).toBeGreaterThanOrEqual(40)
    await page.locator('.chapters [aria-current]', { hasText: 'The oven' }).waitFor()
    const line = page.locator('.timeline')
    const { width = 0, height = 0 } = (await line.boundingBox()) ?? {}
    await line.hover({ position: { x: width / 2, y: height / 2 } })
    await page.locator('.tip', { hasText: '0:30 · The dough' }).waitFor()
  })
})

describe('on a phone', () => {
  it('two taps at a side of the picture skip ten seconds, one tap plays', async () => {
    const { page } = await watching({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    await ready(page)
    // Two taps are one gesture only when they are close in time, which a busy machine does not promise.
    await stopTime(page)
    const { x = 0, y = 0, width = 0 } = (await page.locator('video').boundingBox()) ?? {}
    for (const _ of [1, 2]) await page.touchscreen.tap(x + width * 0.9, y + 40)
    await page.locator('.sign', { hasText: '+10 s' }).waitFor()
    await expectSoon(() => time(page)).toBe(10)
    await page.touchscreen.tap(x + width / 2, y + 40)
    await page.clock.runFor(300)
    await expectSoon(() => media(page, video => video.paused)).toBe(false)
  })
})

it('a click on the picture plays, and media keys know what plays', async () => {
  const { page, faults } = await watching()
  await ready(page)
  await page.locator('video').click()
  await expectSoon(() => media(page, video => video.paused)).toBe(false)
  const told = () =>
    page.evaluate(() => [navigator.mediaSession.metadata?.title, navigator.mediaSession.metadata?.artist])
  await expectSoon(told).toEqual(['Video second', 'Slow Kitchen'])
  expect(faults).toEqual([])
})
