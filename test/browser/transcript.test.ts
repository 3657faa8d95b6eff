/** The transcript beside the player in a browser: it follows, leads to times, can be searched and copied, with JavaScript and without. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Person } from '../support/app/people.ts'
import { expectSoon, media, ready, time, useWatching } from '../support/browser/watching.ts'

const { watching } = useWatching()

const lines = Array.from({ length: 60 }, (_, at) => ({
  start_seconds: at,
  text: at % 10 === 4 ? `fold the <b>dough</b> ${at}` : `we go on ${at}`,
}))

/** A video of which these lines are said, on a desktop. */
async function opened({ spoken = lines, video_id = 'second', path = `/watch/${video_id}`, ...more }: Given = {}) {
  const prepare = ({ library }: Person) =>
    library.transcripts.save(video_id, { language: 'en', automatic: true, lines: spoken })
  const { page } = await watching({ viewport: { width: 1440, height: 900 }, ...more }, { path, prepare })
  return page
}
type Given = { spoken?: typeof lines; video_id?: string; path?: string; javaScriptEnabled?: boolean }

async function unfolded(given: Given = {}) {
  const page = await opened(given)
  await ready(page)
  await page.locator('#transcript summary').click()
  await page.locator('#transcript .lines').waitFor()
  return page
}
const current = (page: Page) => page.locator('#transcript [aria-current]').textContent()
const seek = (page: Page, to: number) =>
  page.locator('video').evaluate((video: HTMLVideoElement, seconds) => {
    video.currentTime = seconds
  }, to)
const scrolled = (page: Page) => page.locator('#transcript .lines').evaluate(list => list.scrollTop)

it('only the list of the transcript follows the player, and leaves a person who scrolls alone until they press Follow', async () => {
  const page = await unfolded()
  await seek(page, 40.5)
  await expectSoon(() => current(page)).toContain('we go on 40')
  expect(await scrolled(page)).toBeGreaterThan(200)
  expect(await page.evaluate(() => scrollY)).toBe(0)

  await page.locator('#transcript .lines').hover()
  await page.mouse.wheel(0, -3000)
  await expectSoon(() => scrolled(page)).toBe(0)

  await seek(page, 50.5)
  await expectSoon(() => current(page)).toContain('we go on 50')
  expect(await scrolled(page)).toBe(0)

  await page.getByRole('button', { name: 'Follow' }).click()
  await expectSoon(() => scrolled(page)).toBeGreaterThan(200)
  expect(await page.getByRole('button', { name: 'Follow' }).isVisible()).toBe(false)
})

it('a press on a line continues there', async () => {
  const page = await unfolded()
  await media(page, video => {
    video.muted = true
  })
  await page.getByRole('link', { name: /fold the <b>dough<\/b> 24/ }).click()
  await expectSoon(() => time(page)).toBeGreaterThanOrEqual(24)
  expect(page.url()).toMatch(/\/watch\/second$/)
})

it('a search marks the lines, and goes from one to the next', async () => {
  const page = await unfolded()
  const chosen = () => page.locator('#transcript .chosen').textContent()

  await page.getByLabel('Search in the transcript').fill('DOUGH')
  await page.getByText('1 of 6').waitFor()
  expect(await chosen()).toContain('dough</b> 4')
  await page.keyboard.press('Enter')
  await page.getByText('2 of 6').waitFor()
  expect(await chosen()).toContain('dough</b> 14')
  await page.getByRole('button', { name: 'Previous match' }).click()
  await page.getByRole('button', { name: 'Previous match' }).click()
  await page.getByText('6 of 6').waitFor()
  expect(await page.evaluate(() => (CSS.highlights.get('transcript') as unknown as Set<Range>).size)).toBe(6)

  await page.getByLabel('Search in the transcript').fill('quince')
  await page.getByText('Not found.').waitFor()
})

it('a search finds a phrase that runs over two lines, and marks it in both', async () => {
  const texts = ['we knead the', 'dough for the', 'bread 今日は', 'パンを焼く']
  const page = await unfolded({ spoken: texts.map((text, at) => ({ start_seconds: at, text })) })
  const marked = () =>
    page.evaluate(() => [...(CSS.highlights.get('transcript') as unknown as Set<Range>)].map(range => String(range)))

  await page.getByLabel('Search in the transcript').fill(' THE  dough for')
  await page.getByText('1 of 1').waitFor()
  expect(await page.locator('#transcript .chosen').textContent()).toContain('we knead the')
  expect(await marked()).toEqual(['the', 'dough for'])

  await page.getByLabel('Search in the transcript').fill('今日はパン')
  await expectSoon(marked).toEqual(['今日は', 'パン'])
  await page.getByLabel('Search in the transcript').fill('the')
  await page.getByText('1 of 2').waitFor()
})

it('a search finds words however their letters are written, and marks these', async () => {
  const texts = ['the cafe\u0301 on', 'Hauptstraße is', 'ガラス']
  const page = await unfolded({ spoken: texts.map((text, at) => ({ start_seconds: at, text })) })
  const marked = () =>
    page.evaluate(() => [...(CSS.highlights.get('transcript') as unknown as Set<Range>)].map(range => String(range)))

  for (const [typed, shown] of [
    ['CAFÉ', ['cafe\u0301']],
    ['on hauptstrasse', ['on', 'Hauptstraße']],
    ['ｶﾞﾗ', ['ガラ']],
  ] as const) {
    await page.getByLabel('Search in the transcript').fill(typed)
    await expectSoon(marked).toEqual(shown)
  }
})

it('the whole text can be copied', async () => {
  const page = await unfolded()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.locator('#transcript').getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied.').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(lines.map(({ text }) => text).join('\n'))
})

it('without JavaScript, the transcript has a page whose lines lead to the video', async () => {
  const page = await opened({ javaScriptEnabled: false })
  await page.locator('#transcript summary').click()
  await page.getByRole('link', { name: 'Read the transcript' }).click()
  await page.getByRole('link', { name: /dough<\/b> 24/ }).click()
  expect(await page.locator('video').getAttribute('src')).toBe('/stream/second#t=24')
})

it('before the download, the line of the time in the address is marked, and a line leads to a Watch button for its time', async () => {
  const page = await opened({ video_id: 'third', path: '/watch/third?t=40' })
  await page.locator('#transcript summary').click()

  await expectSoon(() => current(page)).toContain('we go on 40')
  await page.getByRole('link', { name: /dough<\/b> 24/ }).click()

  await page.getByRole('button', { name: 'Watch from 0:24' }).waitFor()
  expect(page.url()).toMatch(/\/watch\/third\?t=24$/)
})
