/** In a browser: several new videos are selected and acted on at once, with a script and without. */
import { expect, it } from 'vitest'
import { follows, person } from '../support/app/people.ts'
import { phone, useSite } from '../support/browser/site.ts'

const site = useSite()

it.each([true, false])(
  'selected videos of New are downloaded at once, with JavaScript: %s',
  async javaScriptEnabled => {
    const alice = await person(site.sql, 'alice')
    await follows(alice, 'kitchen', ['a', 'b', 'c', 'd'])
    const { page } = await site.openAt('/', alice, { javaScriptEnabled })
    await page.locator('.list-menu > summary').click()
    await page.getByRole('link', { name: 'Select' }).click()
    await page.getByRole('checkbox', { name: 'Video a' }).check()
    await page.getByRole('checkbox', { name: 'Video c' }).check()

    await page.locator('.choosing-bar').getByRole('button', { name: 'Download' }).click()

    await page.getByText('2 videos queued.').first().waitFor()
    const queued = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async id => (await alice.library.videos.find(id))?.queued),
    )
    expect(queued).toEqual([true, false, true, false])
  },
)

it('a press on a picture selects, Shift selects a range, and the bar counts', async () => {
  const alice = await person(site.sql, 'alice')
  await follows(alice, 'kitchen', ['a', 'b', 'c', 'd'])
  const { page } = await site.openAt('/?select=1', alice)
  await page.locator('.video .choose').nth(0).click()
  await page
    .locator('.video .choose')
    .nth(2)
    .click({ modifiers: ['Shift'] })

  await page.getByText('3 selected').waitFor()
  await page.getByLabel('Select all shown').check()
  await page.getByText('4 selected').waitFor()
  await page.getByRole('link', { name: 'Done' }).click()
  await page.waitForURL(url => url.search === '')
  expect(await page.getByRole('checkbox').count()).toBe(0)
})

it.each(['/', '/channels/kitchen'])('on %s a press beside the buttons selects', async path => {
  const alice = await person(site.sql, 'alice')
  await follows(alice, 'kitchen', ['a', 'b'])
  const { page } = await site.openAt(`${path}?select=1`, alice, { viewport: { width: 1000, height: 900 } })

  await page.locator('#title-a').click({ force: true })
  await page.locator(':is(.row, .video):has(#title-b) .thumbnail').click({ position: { x: 60, y: 40 }, force: true })

  await page.getByText('2 selected').waitFor()
  expect(new URL(page.url()).pathname).toBe(path)
})

it('on a phone the bar is one line, and the way out is in sight', async () => {
  const alice = await person(site.sql, 'alice')
  await follows(alice, 'kitchen', ['a', 'b'])
  const { page } = await site.openAt('/?select=1', alice, phone)
  await page.locator('.video .choose').first().click()
  await page.getByText('1 selected').waitFor()
  expect((await page.locator('.choosing-bar').boundingBox())?.height).toBeLessThan(70)
  const done = await page.getByRole('link', { name: 'Done' }).boundingBox()
  expect((done?.x ?? 0) + (done?.width ?? 390)).toBeLessThanOrEqual(390)
})
