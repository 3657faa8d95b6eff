/** In a browser: videos are selected with the keyboard alone. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { follows, type Person, person } from '../support/app/people.ts'
import { useSite } from '../support/browser/site.ts'

const site = useSite()

/** Three videos in one line, being selected. */
async function opened(): Promise<{ alice: Person; page: Page }> {
  const alice = await person(site.sql, 'alice')
  await follows(alice, 'kitchen', ['a', 'b', 'c'])
  const { page } = await site.openAt('/?select=1', alice, { viewport: { width: 1000, height: 900 } })
  return { alice, page }
}
const focused = (page: Page) =>
  page.evaluate(() => (document.activeElement as HTMLInputElement).value || document.activeElement?.textContent?.trim())
const selected = (page: Page) =>
  page.locator('.choose input:checked').evaluateAll(boxes => boxes.map(box => (box as HTMLInputElement).value))
async function press(page: Page, ...keys: string[]) {
  for (const key of keys) await page.keyboard.press(key)
  return focused(page)
}

it('J, K and arrows move between the boxes, and Space selects', async () => {
  const { page } = await opened()
  const [first, second, third] = await page
    .locator('.choose input')
    .evaluateAll(boxes => boxes.map(box => (box as HTMLInputElement).value))
  expect(await press(page, 'j')).toBe(first)
  expect(await press(page, 'Space', 'ArrowRight')).toBe(second)
  expect(await press(page, 'j', 'Space')).toBe(third)
  expect(await press(page, 'k')).toBe(second)
  expect(await selected(page)).toEqual([first, third])
  await press(page, '?')
  await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
})

it('Space selects the video whose title has the focus', async () => {
  const { page } = await opened()
  await page.locator('#title-b a').focus()
  await page.keyboard.press('Space')
  expect(await selected(page)).toEqual(['b'])
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

it('Tab leads from a selected box to the bar, and from its end to the next box', async () => {
  const { page } = await opened()
  const first = await press(page, 'j')
  expect(await press(page, 'Space', 'Tab')).toBe('Download')
  expect(await press(page, 'Shift+Tab', 'Shift+Tab')).toBe(first)
  expect(await press(page, 'Tab')).toBe('Download')
  await page.getByRole('link', { name: 'Done' }).focus()
  const next = await press(page, 'Tab')
  expect(await page.locator('.choose input').nth(1).inputValue()).toBe(next)
})

it('Tab and Shift+Tab lead out of the selection', async () => {
  const { page } = await opened()
  const first = await press(page, 'j')
  expect(await press(page, 'Space', 'Tab', 'Shift+Tab', 'Shift+Tab')).toBe(first)
  await page.getByLabel('Select all shown').focus()
  await page.keyboard.press('Shift+Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('.choosing-bar, #videos'))).toBeNull()

  await page.locator('.choose input').last().focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('.choosing-bar'))).toBeNull()
})

it('Shift+Tab leads from the first box to the bar, which is at the bottom, and Escape leaves the selection', async () => {
  const { page } = await opened()
  await press(page, 'j')
  expect(await press(page, 'Shift+Tab')).toBe('Done')
  const bar = await page.locator('.choosing-bar').boundingBox()
  const list = await page.locator('#videos').boundingBox()
  expect(bar?.y).toBeGreaterThan(list?.y ?? 0)

  await press(page, 'j')
  await page.keyboard.press('Escape')
  await page.waitForURL(url => url.search === '')
  expect(await page.getByRole('checkbox').count()).toBe(0)
})
