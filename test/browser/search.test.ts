/** Searching, scrolling and choosing in a browser, with JavaScript and without. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { entry, type Person, person } from '../support/app/people.ts'
import { useSite } from '../support/browser/site.ts'

const site = useSite()
const { open } = site

/** Follows one channel; the newest video is the last. */
async function bakes(videos: number): Promise<Person> {
  const alice = await person(site.sql, 'alice')
  const channel = { channel_id: 'kitchen', title: 'Slow Kitchen', rss_url: 'https://videos.example/kitchen' }
  const all = Array.from({ length: videos }, (_, at) =>
    entry(`v${at}`, {
      title: at === 3 ? 'Sourdough for beginners' : `Bread number ${at}`,
      thumbnail_url: null,
      published_at: new Date(Date.UTC(2026, 0, 1, 0, at)),
    }),
  )
  await alice.library.channels.save(channel, all)
  return alice
}

const box = (page: Page, id: string) => page.locator(`input[name=video_id][form=chosen][value=${id}]`)
const chosen = (page: Page) => page.locator('input[name=video_id][form=chosen]:checked').count()

describe('with JavaScript', () => {
  it('search results follow the typing, the address keeps the query, and a screen reader hears the count', async () => {
    const { page, faults } = await open(await bakes(5))
    await page.goto('/')
    await page.keyboard.press('/')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('q')
    await page.goto('/search')
    await page.locator('body').click({ position: { x: 5, y: 300 } })
    await page.keyboard.press('/')
    await page.keyboard.type('sourd')

    await page.locator('mark', { hasText: 'Sourdough' }).waitFor()
    expect(await page.getByRole('status').filter({ hasText: '1 result' }).count()).toBe(1)
    expect(await page.getByRole('combobox').inputValue()).toBe('sourd')
    await expect.poll(() => new URL(page.url()).search).toBe('?q=sourd')

    await page.getByRole('combobox').fill('')
    await page.getByText('This exact phrase').waitFor()
    expect(await page.locator('input[type=search]').count()).toBe(1)
    await expect.poll(() => new URL(page.url()).search).toBe('')
    expect(faults).toEqual([])
  })

  it('going back to a list shows it at the same length and place', async () => {
    const alice = await bakes(130)
    const { page, faults } = await open(alice)
    await page.goto('/channels/kitchen')
    await expect
      .poll(async () => {
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
        return page.locator('#videos > *').count()
      })
      .toBe(130)
    const link = page.locator('#videos > *').nth(115).getByRole('link').first()
    await link.scrollIntoViewIfNeeded()
    const before = await page.evaluate(() => window.scrollY)
    await link.click()
    await page.waitForURL('**/watch/*')

    await page.goBack()

    await expect.poll(() => page.locator('#videos > *').count()).toBe(130)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before)
    expect(new Set(await page.locator('#videos > * .title').evaluateAll(all => all.map(({ id }) => id))).size).toBe(130)
    expect(faults).toEqual([])
  })

  it('scrolling loads more; selection, focus and open questions stay', async () => {
    const alice = await bakes(130)
    await alice.library.downloads.request(['v10'])
    const { page, faults } = await open(alice)
    await page.goto('/channels/kitchen?select=1')
    await box(page, 'v129').check()
    await page.getByText('1 selected').waitFor()
    await box(page, 'v129').focus()

    await page.locator('#older-link').scrollIntoViewIfNeeded()
    await expect.poll(() => page.locator('#videos > *').count()).toBeGreaterThan(40)
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expect
      .poll(async () => {
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
        return page.locator('#videos > *').count()
      })
      .toBe(130)

    expect(await box(page, 'v129').isChecked()).toBe(true)
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('v129')
    expect(await page.getByText('1 selected').isVisible()).toBe(true)
    expect(await page.locator('#older').textContent()).toBe('')
    expect(new Set(await page.locator('#videos > * .title').evaluateAll(all => all.map(({ id }) => id))).size).toBe(130)
    // The queued download came with the last page, and is polled from now on.
    await page.waitForRequest(request => request.url().includes('/api/download/status?video_id=v10'))
    expect(faults).toEqual([])
  })

  it('a range, all or none of the videos are selected, and downloaded together', async () => {
    const alice = await bakes(6)
    const { page } = await open(alice)
    await page.goto('/channels/kitchen')
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await page.getByLabel('Actions for this channel').click()
    await page.getByRole('link', { name: 'Select videos' }).click()
    await box(page, 'v4').click()
    await box(page, 'v1').click({ modifiers: ['Shift'] })
    expect(await chosen(page)).toBe(4)
    await page.getByText('4 selected').waitFor()
    await page.getByLabel('Select all').check()
    expect(await chosen(page)).toBe(6)
    await page.getByLabel('Select all').uncheck()
    expect(await chosen(page)).toBe(0)

    await box(page, 'v2').check()
    await box(page, 'v5').check()
    await page.locator('.choosing-bar').getByRole('button', { name: 'Download' }).click()
    await page.getByText('2 videos queued.').waitFor()
  })
})

describe('without JavaScript', () => {
  it('without a script, Enter searches, a link leads to the next page, and boxes select', async () => {
    const { page } = await open(await bakes(40), { javaScriptEnabled: false })
    await page.goto('/')
    await page.getByRole('searchbox').fill('sourdough')
    await page.keyboard.press('Enter')
    await page.locator('mark', { hasText: 'Sourdough' }).waitFor()

    await page.goto('/channels/kitchen?select=1')
    expect(await page.locator('#videos > *').count()).toBe(24)
    await page.getByRole('link', { name: 'Older videos' }).click()
    await page.waitForURL(/cursor=/)
    expect(await page.locator('#videos > *').count()).toBe(16)
    await box(page, 'v3').check()
    await page.locator('.choosing-bar').getByRole('button', { name: 'Download' }).click()
    await page.getByText('1 video queued.').waitFor()
  })
})
