/** In a browser: the keyboard keeps its place when a page is loaded again or a message goes. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { personWith } from '../support/app/people.ts'
import { useSite } from '../support/browser/site.ts'

const site = useSite()

async function opened(path = '/') {
  const alice = await personWith(site.sql, 'alice', 'kitchen', ['a', 'b', 'c'])
  const { page } = await site.openAt(path, alice, { viewport: { width: 1000, height: 900 } })
  return page
}
const waitForFocus = (page: Page, selector: string) =>
  page.waitForFunction(
    wanted => document.readyState === 'complete' && document.activeElement?.matches(wanted),
    selector,
  )

it('Select focuses the first box, and Download of the selection the list', async () => {
  const page = await opened()
  await page.locator('.list-menu > summary').press('Enter')
  await page.getByRole('link', { name: 'Select' }).press('Enter')
  await waitForFocus(page, '.choose input')
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.locator('#flash').getByText('queued').waitFor()
  await waitForFocus(page, '#videos .choose input, #videos .title a')
  expect(await page.locator('#flash :focus').count()).toBe(0)
})

it('Undo on the page that follows focuses the list', async () => {
  const page = await opened('/?select=1')
  await page.getByLabel('Select all shown').check()
  await page.locator('.choosing-bar').getByRole('button', { name: 'Watch later' }).click()
  await page.locator('#flash').getByRole('button', { name: 'Undo' }).press('Enter')
  await waitForFocus(page, '#videos .choose input, #videos .title a')
  await page.locator('#flash').getByText('removed from Watch later').waitFor()
  expect(await page.locator('.marked.later').count()).toBe(0)
})

it('a message that is undone or closed hands the focus back', async () => {
  const page = await opened()
  await page.locator('#title-b a').focus()
  await page.keyboard.press('l')
  await page.locator('#flash').getByRole('button', { name: 'Undo' }).press('Enter')
  await page.getByText('Removed from Watch later.').waitFor()
  await waitForFocus(page, '.video:has(#title-b) *')
  await page.getByRole('button', { name: 'Close message' }).press('Enter')
  await waitForFocus(page, '.video:has(#title-b) *')
  expect(await page.locator('.flash').count()).toBe(0)
})

it('the choice of a theme leaves the focus on the menu', async () => {
  const page = await opened()
  await page.locator('.user > summary').press('Enter')
  await page.getByRole('button', { name: 'Dark' }).press('Enter')
  await page.locator('[data-theme=dark]').waitFor()
  await waitForFocus(page, '.user > summary')
  expect(await page.locator('details.menu[open]').count()).toBe(0)
})

it('what has the focus after "Skip to content" is below the bar at the top', async () => {
  const page = await opened()
  await page.setViewportSize({ width: 700, height: 400 })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const top = await page.evaluate(() => document.activeElement?.getBoundingClientRect().top)
  const bar = await page.locator('.top').boundingBox()
  expect(top).toBeGreaterThanOrEqual(bar?.height ?? 0)
})

it('a browser that refuses to store anything has all other scripts', async () => {
  const { page, faults } = await site.open(await personWith(site.sql, 'alice', 'kitchen', ['a']))
  await page.addInitScript(() => {
    const refused = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    }
    for (const storage of ['sessionStorage', 'localStorage']) Object.defineProperty(window, storage, { get: refused })
  })
  await page.goto('/')
  await page.locator('.list-menu > summary').click()
  await page.keyboard.press('Escape')
  expect(await page.locator('.list-menu[open]').count()).toBe(0)
  expect(faults).toEqual([])
})
