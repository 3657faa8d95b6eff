/** In a browser: menus can be used with the keyboard alone. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { personWith } from '../support/app/people.ts'
import { useSite } from '../support/browser/site.ts'

const site = useSite()

async function opened(path = '/') {
  const alice = await personWith(site.sql, 'alice', 'kitchen', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
  const { page } = await site.open(alice)
  await page.goto(path)
  return page
}
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim())

it.each(['.user', '.downloads-menu', '.filter-menu'])(
  'Escape closes the menu %s, and its summary has the focus',
  async menu => {
    const page = await opened()
    const summary = page.locator(`${menu} > summary`)
    await summary.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')

    expect(await page.locator('details.menu[open]').count()).toBe(0)
    expect(await summary.evaluate(element => element === document.activeElement)).toBe(true)
  },
)

it('arrows move among the items of an open menu, around its ends, and do not scroll the page', async () => {
  const page = await opened()
  await page.setViewportSize({ width: 600, height: 360 })
  await page.locator('.user > summary').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  expect(await focused(page)).toBe('Auto')
  await page.keyboard.press('ArrowUp')
  expect(await focused(page)).toBe('Sign out')
  await page.keyboard.press('ArrowDown')
  expect(await focused(page)).toBe('Auto')
  expect(await page.evaluate(() => [scrollY, document.body.scrollHeight > innerHeight])).toEqual([0, true])
})
