/** In a browser: the column of groups and channels beside New. */
import { expect, it } from 'vitest'
import { entry, person } from '../support/app/people.ts'
import { useSite } from '../support/browser/site.ts'

const site = useSite()

/** Videos of three days. A day begins a new line, so how many are in sight depends on how many each day has. */
const days = [12, 7, 5]

/** 24 videos: of today until now, of yesterday, and of the day before. */
async function withNews() {
  const alice = await person(site.sql, 'alice')
  const now = Date.now()
  const today = new Date(now).setUTCHours(0, 0, 0, 0)
  const times = days.flatMap((count, ago) => {
    const begins = today - ago * 86_400_000
    const step = ((ago === 0 ? now : begins + 86_400_000) - begins) / (count + 1)
    return Array.from({ length: count }, (_, at) => new Date(begins + (at + 1) * step))
  })
  for (const [at, published_at] of times.entries())
    await alice.library.channels.save(
      { channel_id: `c${at}`, title: `Channel ${at}`, rss_url: `https://videos.example/c${at}.xml` },
      [
        entry(`v${at}`, {
          title: 'A title that is long enough for the two lines which a card has for it',
          published_at,
        }),
      ],
    )
  return alice
}

it('leaves room for three rows of four pictures at 1440 × 900', async () => {
  const { page } = await site.open(await withNews(), { viewport: { width: 1440, height: 900 }, timezoneId: 'UTC' })
  await page.goto('/')
  expect(await page.locator('.library-column').isVisible()).toBe(true)
  const in_view = await page.evaluate(() => {
    const pictures = [...document.querySelectorAll('#videos .thumbnail')].map(one => one.getBoundingClientRect())
    return pictures.filter(({ top }) => top < innerHeight - 50).map(({ top }) => top)
  })
  expect([in_view.length, new Set(in_view).size]).toEqual([12, 3])
})

it('is not displayed below 1200 px, and scrolls without the page above', async () => {
  const alice = await withNews()
  const { page } = await site.open(alice, { viewport: { width: 1199, height: 700 } })
  await page.goto('/')
  const column = page.locator('.library-column')
  expect(await column.isVisible()).toBe(false)

  await page.setViewportSize({ width: 1200, height: 700 })
  expect(await column.isVisible()).toBe(true)
  await column.evaluate(nav => nav.scrollTo(0, nav.scrollHeight))
  await page.getByRole('link', { name: 'All channels' }).click()
  await page.waitForURL('**/channels')
})
