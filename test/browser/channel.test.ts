/** The page of a channel: what a phone shows of it, and how a video of an earlier year is found. */
import { expect, it } from 'vitest'
import { fullLibrary } from '../support/app/full-library.ts'
import { entry, person } from '../support/app/people.ts'
import { narrow, phone, readyForKeys, useSite } from '../support/browser/site.ts'

const site = useSite()

/** A name of six lines on a phone, and a video for each month of two years. */
async function alice() {
  const made = await person(site.sql, 'alice')
  const title =
    'A channel whose name goes on and on, as if it were the first chapter of a book that no one can put down'
  const videos = Array.from({ length: 24 }, (_, nth) =>
    entry(`v${nth}`, {
      title: `Bread, and what ${nth} neighbours said of it when they came by`,
      published_at: new Date(Date.UTC(2025, nth, 5)),
    }),
  )
  await made.library.channels.save({ channel_id: 'kitchen', title, rss_url: 'https://videos.example/k' }, videos)
  return made
}

it.each(['list', 'grid'])('a phone shows two whole videos of a channel with a long name, as a %s', async view => {
  const { page } = await site.openAt(`/channels/kitchen?view=${view}`, await alice(), narrow)

  const second = await page.locator('#videos > *').nth(1).boundingBox()
  const bar = await page.locator('.main-nav').boundingBox()

  expect((second?.y ?? 0) + (second?.height ?? 1000)).toBeLessThanOrEqual(bar?.y ?? 0)
})

it('a phone shows six whole videos of a channel as rows, also where some download or have failed', async () => {
  const { page } = await site.openAt('/channels/bench?view=list', await fullLibrary(site.sql, site.folder), phone)

  const sixth = await page.locator('#videos > *').nth(5).boundingBox()
  const bar = await page.locator('.main-nav').boundingBox()

  expect((sixth?.y ?? 0) + (sixth?.height ?? 1000)).toBeLessThanOrEqual(bar?.y ?? 0)
})

it('a row shows its menu and Download only when it is pointed at or has the focus', async () => {
  const { page } = await site.openAt('/channels/kitchen?view=list', await alice())
  const row = page.locator('#videos > *').first()
  const shown = () =>
    row.evaluate(
      element =>
        [...element.querySelectorAll('button, summary')].filter(one => one.checkVisibility({ checkOpacity: true }))
          .length,
    )
  await page.mouse.move(0, 0)
  expect(await shown()).toBe(0)
  await row.hover()
  await expect.poll(shown).toBe(2)
  await page.mouse.move(0, 0)
  await expect.poll(shown).toBe(0)
  await row.getByRole('link').focus()
  await expect.poll(shown).toBe(2)
})

it('a video of March 2025 is four presses away from New by its channel, and three without', async () => {
  const { page, faults } = await site.open(await alice())
  const march = page.getByRole('link', { name: 'Mar 2025:' })
  await page.goto('/')
  await page.locator('.video .line a').first().click()
  await page.locator('.channel-filter > summary').click()
  await page.getByText('Month', { exact: true }).click()
  await march.click()
  await page.getByRole('link', { name: 'Remove filter From March 2025' }).waitFor()
  expect(await page.locator('#videos > * .title').first().textContent()).toContain('what 2 neighbours')

  await page.goto('/')
  await page.locator('.list-menu > summary').click()
  await page.getByText('Month', { exact: true }).click()
  await march.click()
  await page.waitForURL('**/?month=2025-03')
  expect(await page.locator('#videos > * .title').first().textContent()).toContain('what 2 neighbours')
  expect(faults).toEqual([])
})

it('the 20 newest videos are queued in three presses, and taken back in one more', async () => {
  const her = await alice()
  const { page, faults } = await site.openAt('/', her)
  await page.locator('.list-menu > summary').click()
  await page.getByText('Download…', { exact: true }).click()
  await page.getByRole('button', { name: /^Newest 20\s*20 · about/ }).click()
  await page.getByText('20 videos queued.').waitFor()
  expect((await her.library.videos.tally()).waiting).toBe(20)

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('20 downloads cancelled.').waitFor()
  expect((await her.library.videos.tally()).waiting).toBe(0)
  expect(faults).toEqual([])
})

it('a search in a channel stays when its videos are filtered, and a filter is removed by its chip', async () => {
  const { page, faults } = await site.openAt('/channels/kitchen', await alice())
  await page.locator('.finder > summary').click()
  await page.getByPlaceholder('Search this channel').fill('what 2')
  await page.getByText('1 video', { exact: true }).waitFor()
  await page.locator('.channel-filter > summary').click()
  await page.getByRole('link', { name: 'Unwatched', exact: true }).click()
  await page.waitForURL(/seen=false/)
  expect(await page.locator('#videos > *').count()).toBe(1)

  await page.getByRole('link', { name: 'Remove filter Unwatched' }).click()
  await page.waitForURL(url => !url.search.includes('seen'))
  expect(await page.locator('#videos > *').count()).toBe(1)
  expect(faults).toEqual([])
})

it('the rest of a channel is loaded from the end of its list, which says how far that is', async () => {
  const her = await alice()
  const { page, faults } = await site.openAt('/channels/kitchen', her)
  await page.getByText('The 24 newest are here.').waitFor()
  await readyForKeys(page)
  await page.getByRole('button', { name: 'Load the rest' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Waiting to load older videos.').waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent?.trim()))
    .toBe('Waiting to load older videos.')
  expect(await her.library.backfills.find('kitchen')).toMatchObject({ state: 'queued' })

  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Stopped.').waitFor()
  await page.getByRole('button', { name: 'Load the rest' }).waitFor()
  expect(faults).toEqual([])
})
