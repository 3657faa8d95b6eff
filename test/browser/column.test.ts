/** In a browser: the column of groups and channels beside New. */
import { expect, it } from 'vitest'
import { entry, person } from '../support/app/people.ts'
import { desktop, useSite } from '../support/browser/site.ts'

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

it('leaves room for three rows of four pictures at 1440 × 900, with names of channels that are high enough to press', async () => {
  const { page } = await site.openAt('/', await withNews(), {
    viewport: { width: 1440, height: 900 },
    timezoneId: 'UTC',
  })
  expect(await page.locator('.library-column').isVisible()).toBe(true)
  const in_view = await page.evaluate(() => {
    const pictures = [...document.querySelectorAll('#videos .thumbnail')].map(one => one.getBoundingClientRect())
    return pictures.filter(({ top }) => top < innerHeight - 50).map(({ top }) => top)
  })
  expect([in_view.length, new Set(in_view).size]).toEqual([12, 3])
  expect((await page.locator('#videos .channel a').first().boundingBox())?.height).toBeGreaterThanOrEqual(24)
})

it('is not displayed below 1200 px, and scrolls without the page above', async () => {
  const { page } = await site.openAt('/', await withNews(), { viewport: { width: 1199, height: 700 } })
  const column = page.locator('.library-column')
  expect(await column.isVisible()).toBe(false)

  await page.setViewportSize({ width: 1200, height: 700 })
  expect(await column.isVisible()).toBe(true)
  await column.locator('summary').click()
  await column.evaluate(nav => nav.scrollTo(0, nav.scrollHeight))
  await page.getByRole('link', { name: 'New group' }).click()
  await page.waitForURL('**/groups')
})

it('has its channels folded, until they are opened on any page', async () => {
  const { page } = await site.openAt('/', await withNews(), desktop)
  const channel = page.locator('.library-column a[href="/channels/c3"]')
  expect(await channel.isVisible()).toBe(false)
  await page.locator('.library-column summary').click()
  await page.waitForFunction(() => document.cookie.includes('channels=open'))
  await channel.waitFor()
  // What was read keeps the focus where it was.
  expect(await page.evaluate(() => document.activeElement?.matches('.library-column summary'))).toBe(true)
  await channel.click()
  await page.waitForURL('**/channels/c3')
  expect(await channel.isVisible()).toBe(true)

  await page.locator('.library-column summary').click()
  await page.waitForFunction(() => document.cookie.includes('channels=closed'))
  await page.goto('/')
  expect(await channel.isVisible()).toBe(false)
})

it('is read again when it is opened again after a fault, and before the checkboxes that are asked for meanwhile', async () => {
  const { page } = await site.openAt('/history', await withNews(), desktop)
  const column = page.locator('.library-column')
  await page.route('**/groups/column?*', route => route.abort(), { times: 1 })
  const lost = page.waitForEvent('requestfailed')
  await column.locator('summary').click()
  await lost
  await column.locator('summary').click()

  const read = Promise.withResolvers<void>()
  await page.route('**/groups/column?*', async route => {
    await read.promise
    await route.continue()
  })
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  await column.locator('summary').click()
  await column.getByRole('link', { name: 'Select channels for a group' }).click()
  await page.evaluate(() => fetch('/healthz'))
  expect(asked).toEqual(['/groups/column', '/healthz'])
  read.resolve()
  await column.getByRole('checkbox', { name: 'Channel 3' }).waitFor()
})

it('puts channels that are ticked in it into a new group or another', async () => {
  const alice = await withNews()
  const { page, faults } = await site.openAt('/history', alice, desktop)
  const column = page.locator('.library-column')
  const tick = page.getByRole('link', { name: 'Select channels for a group' })
  expect(await tick.isVisible()).toBe(false)
  await column.locator('summary').click()
  await tick.click()
  for (const name of ['Channel 3', 'Channel 5']) await column.getByRole('checkbox', { name }).check()
  await column.getByText('Add to group').click()
  await column.getByLabel('New group').fill('Cooking')
  await column.getByRole('button', { name: 'Create' }).click()
  await page.getByText('2 channels added to').waitFor()
  expect(new URL(page.url()).pathname).toBe('/history')
  await column.getByRole('link', { name: 'Cooking' }).waitFor()

  await tick.click()
  await column.getByRole('checkbox', { name: 'Channel 7' }).check()
  await column.getByText('Add to group').click()
  await column.getByRole('button', { name: 'Cooking' }).click()
  await page.getByText('1 channel added to').waitFor()
  expect((await alice.library.groups.list()).map(({ name, channels }) => [name, channels])).toEqual([['Cooking', 3]])
  expect(faults).toEqual([])
})

it('leads without a script to the checkboxes of the page of channels', async () => {
  const options = { viewport: { width: 1440, height: 900 }, javaScriptEnabled: false }
  const { page } = await site.openAt('/', await withNews(), options)
  await page.locator('.library-column summary').click()
  await page.getByRole('link', { name: 'Select channels for a group' }).click()
  expect(await page.getByRole('checkbox', { name: 'Channel 3' }).isVisible()).toBe(true)
  expect(new URL(page.url()).pathname).toBe('/channels')
})

it('the number of downloads is clear of the letters, on a desktop and on a phone', async () => {
  const alice = await withNews()
  const { page } = await site.open(alice)
  for (const [count, width] of [
    [2, 1440],
    [2, 390],
    [24, 1440],
    [24, 390],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await alice.library.downloads.request(Array.from({ length: count }, (_, at) => `v${at}`))
    await page.goto('/')
    const gap = await page.locator('.main-nav a', { hasText: 'Downloads' }).evaluate(link => {
      const words = document.createRange()
      words.selectNodeContents(link.firstChild as Text)
      const badge = link.querySelector('.active-count')?.getBoundingClientRect()
      return {
        before: (badge?.left ?? 0) - words.getBoundingClientRect().right,
        after: innerWidth - (badge?.right ?? 0),
      }
    })
    expect(Math.min(gap.before, gap.after), `${count} at ${width} px`).toBeGreaterThanOrEqual(0)
  }
})
