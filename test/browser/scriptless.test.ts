/** Uses every control of the pages without a script, by forms and links only. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { follows, person } from '../support/app/people.ts'
import { scene } from '../support/app/scene.ts'
import { findKitchen, useSite } from '../support/browser/site.ts'

const site = useSite({
  findFeed: findKitchen,
})
const scriptless = { javaScriptEnabled: false }
const told = (page: Page) => page.locator('.flash').textContent()
/** Acts, and waits for the next page: without a script, every button and link leads to one. */
const toNext = async (page: Page, act: () => Promise<unknown>) => {
  const loaded = page.waitForEvent('load')
  await act()
  await loaded
}
const press = (page: Page, name: string) =>
  toNext(page, () => page.getByRole('button', { name, exact: true }).first().click())
const follow = (page: Page, name: string | RegExp) => toNext(page, () => page.getByRole('link', { name }).click())

it('without a script, a channel is followed and unfollowed', async () => {
  const { page } = await site.openAt('/channels', await person(site.sql, 'alice'), scriptless)
  await page.getByLabel('Channel, playlist').fill('videos.example')
  await press(page, 'Follow')
  expect(await told(page)).toContain('Following Found Kitchen.')
  await press(page, 'Undo')
  expect(await told(page)).toContain('No longer following Found Kitchen.')

  await page.getByLabel('Channel, playlist').fill('videos.example')
  await press(page, 'Follow')
  await page.getByLabel('Actions for this channel').click()
  await page.getByText('Unfollow…', { exact: true }).click()
  await press(page, 'Unfollow')
  expect(await told(page)).toContain('Unfollowed Found Kitchen.')
})

it('without a script, one or several videos are downloaded, and one, selected or all waiting downloads cancelled', async () => {
  const alice = await person(site.sql, 'alice')
  await follows(alice, 'kitchen', ['a', 'b', 'c', 'd'])
  const { page } = await site.openAt('/channels/kitchen', alice, scriptless)
  await press(page, 'Download')
  await page.getByLabel('Actions for this channel').click()
  await follow(page, 'Select videos')
  for (const box of await page.locator('#videos').getByRole('checkbox').all()) await box.check()
  await toNext(page, () => page.locator('.choosing-bar').getByRole('button', { name: 'Download' }).click())
  expect(await told(page)).toContain('3 videos queued.')

  await page.goto('/downloads')
  await press(page, 'Cancel')
  expect(await page.locator('.row').count()).toBe(3)
  await page.locator('#downloads-menu > summary').click()
  await follow(page, 'Select')
  expect(await page.getByText('Select all').first().isVisible()).toBe(false)
  await press(page, 'Cancel selected')
  expect(await told(page)).toContain('Select at least one video.')
  await page.getByRole('checkbox', { name: 'Select' }).first().check()
  await press(page, 'Cancel selected')
  expect(await told(page)).toContain('1 cancelled.')
  await follow(page, 'Done')
  await page.locator('#downloads-menu > summary').click()
  await page.getByText('Cancel all queued').click()
  await press(page, 'Cancel all')
  expect(await told(page)).toContain('2 cancelled.')
})

it('without a script, failed downloads are retried and dismissed', async () => {
  const { page } = await site.openAt('/downloads?select=1', await scene(site.sql), scriptless)
  await page.locator('#row-failed').getByRole('checkbox').check()
  await press(page, 'Retry selected')
  expect(await told(page)).toContain('1 video queued.')
  await page.goto('/downloads?show=waiting')
  await toNext(page, () => page.locator('#row-retrying').getByRole('button', { name: 'Retry now' }).click())
  expect(await page.locator('#row-retrying').textContent()).not.toContain('Retrying')
})

it('without a script, one or several files are pinned, and deleted after a question', async () => {
  const { page } = await site.openAt('/watch/done-1', await scene(site.sql, site.folder), scriptless)
  await page.locator('#file > .menu > summary').click()
  await press(page, 'Never delete')
  await page.locator('#file > .menu > summary').click()
  expect(await page.locator('.file-actions').getByRole('button', { name: 'Allow deleting' }).count()).toBe(1)

  await page.goto('/downloads?select=1')
  for (const id of ['done-1', 'done-2']) await page.locator(`#row-${id}`).getByRole('checkbox').check()
  await press(page, 'Delete selected files')
  await page.getByRole('heading', { name: 'Delete 2 files (9.6 GB)?' }).waitFor()
  await follow(page, 'Cancel')
  expect(await page.locator('.row').count()).toBe(2)
  await page.locator('#row-done-1').locator('summary').click()
  await toNext(page, () => page.locator('#row-done-1').getByRole('link', { name: 'All actions' }).click())
  await page.locator('#file > .menu > summary').click()
  await page.locator('.file-actions').getByText('Delete file').first().click()
  await toNext(page, () => page.locator('.file-actions').getByRole('button', { name: 'Delete file' }).click())
  await page.goto('/downloads?select=1')
  await page.locator('#row-done-2').getByRole('checkbox').check()
  await press(page, 'Delete selected files')
  await press(page, 'Delete 1 file')
  expect(await told(page)).toContain('1 file deleted (')
})

it('without a script, lists are filtered, searched, paged and sorted', async () => {
  const alice = await scene(site.sql)
  await follows(
    alice,
    'many',
    Array.from({ length: 40 }, (_, index) => `m${index}`),
  )
  const { page } = await site.openAt('/channels/kitchen', alice, scriptless)
  await page.locator('.channel-filter > summary').click()
  await follow(page, /^Failed/)
  expect(await page.locator('.video').count()).toBe(2)
  await page.getByLabel('Search', { exact: true }).click()
  await page.getByLabel('Search Slow Kitchen').fill('oven')
  await toNext(page, () => page.getByLabel('Search Slow Kitchen').press('Enter'))
  expect(await page.locator('.video').count()).toBe(1)
  await page.goto('/channels/many')
  await follow(page, 'Older videos')
  expect(await page.locator('.video').count()).toBe(16)
  await page.goto('/downloads')
  await page.locator('#downloads-menu > summary').click()
  await follow(page, 'Largest first')
  expect(await page.locator('#shelf-done .row').first().getAttribute('id')).toBe('row-done-2')
})

it('without a script, the theme is chosen, a list imported, and the person signs out', async () => {
  const { page } = await site.openAt('/import', await person(site.sql, 'alice'), scriptless)
  await page.locator('.user summary').click()
  await press(page, 'Dark')
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  await page.goto('/import')
  await page.getByText('Paste links instead').click()
  await page.locator('textarea').fill('https://videos.example/a.xml')
  await toNext(page, () => page.locator('main form button').first().click())
  expect(page.url()).toMatch(/\/import\/[0-9a-f-]{36}/)
  await page.locator('.user summary').click()
  await press(page, 'Sign out')
  expect(await told(page)).toContain('Signed out.')
})

it('without a script, settings are found and saved, and a rule is previewed', async () => {
  const alice = await person(site.sql, 'alice')
  await follows(alice, 'kitchen', ['a', 'b'])
  const { page } = await site.openAt('/settings', alice, scriptless)
  await page.getByLabel('Find a setting').fill('caption')
  await toNext(page, () => page.getByLabel('Find a setting').press('Enter'))
  await follow(page, 'Search captions of all videos')
  await page.getByLabel('Search captions of all videos').check()
  await press(page, 'Save')
  expect(await told(page)).toContain('Saved.')
  expect(await page.getByLabel('Search captions of all videos').isChecked()).toBe(true)

  await page.goto('/channels/kitchen/settings')
  expect(await page.getByText('All new videos').isVisible()).toBe(false)
  await page.getByLabel('Download new videos automatically').check()
  await page.getByLabel('Only some videos…').check()
  await page.getByLabel('Title contains any of').fill('Video a')
  await press(page, 'Preview')
  await page.getByText('1 of the 2 newest fits. It is not new, so nothing downloads now.').waitFor()
  await toNext(page, () => page.locator('.rule-form').getByRole('button', { name: 'Save' }).click())
  expect(await told(page)).toContain('Auto-download is on.')
})
