/** In a browser: suggestions below the search fields, by keyboard and by mouse. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { breadKitchen } from '../support/app/people.ts'
import { narrow, useSite } from '../support/browser/site.ts'

const site = useSite()

const field = (page: Page) => page.getByRole('combobox', { name: 'Search everything you follow' })
const options = (page: Page) => page.getByRole('option')

it('a filter is typed with arrows and Enter, which then searches', async () => {
  const { page, faults } = await site.openAt('/', await breadKitchen(site.sql, 'alice'))
  await page.keyboard.press('/')
  await page.keyboard.type('bread be')
  await options(page).waitFor()
  expect(await field(page).getAttribute('aria-expanded')).toBe('true')
  expect(await field(page).getAttribute('aria-activedescendant')).toBeNull()

  await page.keyboard.press('ArrowDown')
  expect(await field(page).getAttribute('aria-activedescendant')).toBe(await options(page).getAttribute('id'))
  await page.keyboard.press('Enter')
  expect(await field(page).inputValue()).toBe('bread before:')
  await options(page).first().waitFor()
  await page.keyboard.press('ArrowUp')
  expect(await options(page).last().getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('Tab')
  await expect.poll(() => field(page).inputValue()).toBe('bread before:1y ')
  await expect.poll(() => options(page).count()).toBe(0)
  await page.keyboard.press('Enter')

  await page.waitForURL('**/search?q=*')
  expect(await page.getByRole('link', { name: 'Remove filter Older than 1 year' }).count()).toBe(1)
  expect(faults).toEqual([])
})

it('Enter searches for what is typed while nothing is chosen, and Escape closes the list but keeps the text', async () => {
  const { page } = await site.openAt('/', await breadKitchen(site.sql, 'alice'))
  await field(page).pressSequentially('is')
  await options(page).waitFor()
  await page.keyboard.press('Escape')
  expect(await options(page).count()).toBe(0)
  expect([await field(page).inputValue(), await field(page).getAttribute('aria-expanded')]).toEqual(['is', 'false'])

  await page.keyboard.type(':')
  await options(page).first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.search === '?q=is%3A')
})

it('a click takes a name on the search page, the results follow, and the text after the cursor stays', async () => {
  const { page, faults } = await site.openAt('/search', await breadKitchen(site.sql, 'alice'))
  await field(page).fill('bread')
  await page.keyboard.press('Home')
  await page.keyboard.type('channel:kit')
  // The field has “channel:kitbread”, with the cursor before “bread”.
  await options(page).filter({ hasText: 'Bread Kitchen' }).click()

  expect(await field(page).inputValue()).toBe('channel:"Bread Kitchen" bread')
  await page.getByRole('link', { name: 'Remove filter Channel: Bread Kitchen' }).waitFor()
  await page.locator('mark', { hasText: 'Bread' }).first().waitFor()
  expect(faults).toEqual([])
})

it('options go when the cursor moves, so that Enter then searches for what is typed', async () => {
  const { page } = await site.openAt('/', await breadKitchen(site.sql, 'alice'))
  await field(page).pressSequentially('is:wa')
  await options(page).first().waitFor()
  await page.keyboard.press('Home')
  await expect.poll(() => options(page).count()).toBe(0)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')

  await page.waitForURL(url => url.search === '?q=is%3Awa')
})

it('letters that a phone still composes are suggested for', async () => {
  const { page } = await site.openAt('/', await breadKitchen(site.sql, 'alice'))
  await field(page).focus()
  const keyboard = await page.context().newCDPSession(page)
  await keyboard.send('Input.imeSetComposition', { text: 'bef', selectionStart: 3, selectionEnd: 3 })

  await expect.poll(() => options(page).allTextContents()).toEqual([expect.stringContaining('before')])
})

it('chips and hints follow what is typed, and the chosen order stays', async () => {
  const { page, faults } = await site.openAt('/search?q=bread&sort=newest', await breadKitchen(site.sql, 'alice'))
  await field(page).press('End')
  await page.keyboard.type(' is:unwached')

  await page.getByRole('link', { name: 'Did you mean is:unwatched?' }).waitFor()
  await expect.poll(() => new URL(page.url()).search).toBe('?sort=newest&q=bread+is%3Aunwached')
  expect(await page.locator('#found').textContent()).toContain('is:unwached: Did you mean is:unwatched?')
  await page.getByRole('link', { name: 'Did you mean is:unwatched?' }).click()
  await page.getByRole('link', { name: 'Remove filter Newest first' }).click()
  await page.getByRole('link', { name: 'Remove filter Unwatched' }).click()
  await page.waitForURL(url => url.search === '?q=bread')
  expect(faults).toEqual([])
})

it('a link in the menu of channels begins a filter, whose names are then suggested', async () => {
  const { page, faults } = await site.openAt('/search?q=bread', await breadKitchen(site.sql, 'alice'), narrow)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByText('Channel', { exact: true }).click()
  await page.getByRole('link', { name: 'Another channel…' }).click()
  await options(page).filter({ hasText: 'Bread Kitchen' }).click()
  await page.getByRole('link', { name: 'Remove filter Channel: Bread Kitchen' }).waitFor()
  expect(await field(page).inputValue()).toBe('bread channel:"Bread Kitchen" ')
  expect(faults).toEqual([])
})

it('the video whose address is pasted is opened from the suggestions', async () => {
  const alice = await breadKitchen(site.sql, 'alice')
  await site.sql`update video_entries set video_url = 'https://inv.example/watch?v=x' where video_id = 'v1'`
  const { page, faults } = await site.openAt('/', alice)
  await field(page).fill('https://inv.example/watch?v=x')
  await options(page).filter({ hasText: 'Bread 1' }).click()
  await page.waitForURL('**/watch/v1')
  expect(faults).toEqual([])
})

it('an answer that comes late does not replace a later one', async () => {
  const { page } = await site.openAt('/search', await breadKitchen(site.sql, 'alice'))
  const held: (() => void)[] = []
  await page.route('**/search/suggestions?q=is', route => held.push(() => void route.continue().catch(() => {})))
  await field(page).pressSequentially('is')
  await expect.poll(() => held.length).toBe(1)
  await page.keyboard.type(':unw')
  await options(page).filter({ hasText: 'is:unwatched' }).waitFor()

  held[0]?.()
  await field(page).press('End')
  expect(await options(page).allTextContents()).toEqual([expect.stringContaining('is:unwatched')])
})
