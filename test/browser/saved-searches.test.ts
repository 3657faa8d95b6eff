/** In a browser: a search is saved on its page, and found in the column or, on a phone, on the search page. */
import { expect, it, vi } from 'vitest'
import { personWith } from '../support/app/people.ts'
import { desktop, narrow, useSite } from '../support/browser/site.ts'

const site = useSite()

it('is saved on its page, marked in the column until another one is typed, and removed with Undo', async () => {
  const { page, faults } = await site.openAt(
    '/search?q=video',
    await personWith(site.sql, 'alice', 'bread', ['b1']),
    desktop,
  )
  await page.getByText('More', { exact: true }).click()
  await page.getByText('Save this search').click()
  await page.getByLabel('Name').fill('All my bread')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved as All my bread').waitFor()
  await page.locator('.library-column summary').click()

  const entry = page.locator('.library-column').getByRole('link', { name: 'All my bread' })
  await entry.and(page.locator('[aria-current=page]')).waitFor()
  const is_kept = expect.objectContaining({ name: 'channels', value: 'open' })
  await vi.waitFor(async () => expect(await page.context().cookies()).toContainEqual(is_kept))
  await page.goto('/')
  await entry.click()
  await page.getByText('Saved as All my bread').waitFor()

  await page.getByLabel('Search everything you follow').fill('video b')
  await page.getByText('Saved as All my bread').waitFor({ state: 'hidden' })
  expect(await entry.getAttribute('aria-current')).toBeNull()

  await entry.click()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Removed the search').waitFor()
  expect(await entry.count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await entry.waitFor()
  expect(faults).toEqual([])
})

it('is found on a phone by pressing Enter in the empty search field', async () => {
  const alice = await personWith(site.sql, 'alice', 'bread', ['b1'])
  await alice.library.searches.create({ name: 'All my bread', q: 'video', sort: 'newest' })
  const { page } = await site.openAt('/', alice, narrow)
  await page.getByLabel('Search everything you follow').press('Enter')
  await page.getByRole('link', { name: 'All my bread' }).filter({ visible: true }).click()
  await page.waitForURL('**/search?q=video&sort=newest')
  expect(await page.getByText('Saved as All my bread').isVisible()).toBe(true)
})

it('is saved and renamed without JavaScript', async () => {
  const alice = await personWith(site.sql, 'alice', 'bread', ['b1'])
  const { page } = await site.openAt('/search?q=video', alice, { ...narrow, javaScriptEnabled: false })
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByText('More', { exact: true }).click()
  await page.getByText('Save this search').click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved as video').waitFor()
  await page.getByText('Rename').click()
  await page.getByLabel('Name').fill('All my bread')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved as All my bread').waitFor()
  expect(await alice.library.searches.list()).toMatchObject([{ name: 'All my bread', q: 'video' }])
})
