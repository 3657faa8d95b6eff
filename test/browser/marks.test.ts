/** In a browser: "Not for me" and Watch later, from the menu of a card and on the page of the video. */
import { expect, it } from 'vitest'
import { scene } from '../support/app/scene.ts'
import { useSite } from '../support/browser/site.ts'

const site = useSite()

it.each([false, true])(
  'a card leaves New by "Not for me", and returns by one Undo, on Watch later: %s',
  async later => {
    const alice = await scene(site.sql, site.folder)
    await alice.library.viewings.note('wanted', { later })
    const { page, faults } = await site.open(alice)
    await page.goto('/')
    const card = page.locator('.video', { hasText: 'Not asked for' })

    await card.locator('.more-acts > summary').click()
    await card.locator('.panel').getByText('Not for me').click()
    await page.getByText('Hidden from New.').waitFor()
    expect(await card.count()).toBe(0)

    await page.getByRole('button', { name: 'Undo' }).click()
    await card.waitFor()
    await page.getByText(later ? 'Shown again, on Watch later.' : 'Shown again.', { exact: true }).waitFor()
    expect(await card.getByRole('button', { name: 'Watch later', pressed: later }).count()).toBe(1)
    expect(faults).toEqual([])
  },
)

it('the buttons on the page of a video show which list it is on', async () => {
  const alice = await scene(site.sql, site.folder)
  const { page, faults } = await site.open(alice)
  await page.goto('/watch/wanted')

  await page.getByRole('button', { name: 'Watch later' }).click()
  await page.getByRole('button', { name: 'Watch later', pressed: true }).waitFor()
  await page.getByRole('button', { name: 'Not for me' }).click()
  await page.getByRole('button', { name: 'Not for me', pressed: true }).waitFor()
  await page.getByRole('button', { name: 'Watch later', pressed: false }).waitFor()
  expect(faults).toEqual([])
})

it('what is set stays in its place when the other buttons of the card appear, and its tip can be read', async () => {
  const alice = await scene(site.sql, site.folder)
  await alice.library.viewings.note('wanted', { not_for_me: true })
  const { page } = await site.open(alice)
  await page.goto('/?dismissed=true')
  const card = page.locator('.video', { hasText: 'Not asked for' })
  const hidden = card.getByRole('button', { name: 'Not for me', pressed: true })

  const at_rest = await hidden.boundingBox()
  const picture = await card.locator('.thumbnail').boundingBox()
  await hidden.hover()
  expect(await hidden.boundingBox()).toEqual(at_rest)
  expect(sum(picture?.x, picture?.width) - sum(at_rest?.x, at_rest?.width)).toBe(6)
  const tip = hidden.locator('.say')
  expect(await tip.textContent()).toContain('Show again')
  expect(await tip.evaluate(element => getComputedStyle(element).color)).toBe('rgb(255, 255, 255)')
})

const sum = (...numbers: (number | undefined)[]) => numbers.reduce<number>((total, number = 0) => total + number, 0)

it('on a phone, the circle of what is set is as large as that of its neighbour', async () => {
  const alice = await scene(site.sql, site.folder)
  await alice.library.viewings.note('wanted', { later: true })
  const { page } = await site.open(alice, { viewport: { width: 390, height: 844 }, hasTouch: true })
  await page.goto('/?later=true')
  for (const name of ['Watch later', 'Not for me']) {
    const { backgroundColor, backgroundImage } = await page
      .locator('.over')
      .getByRole('button', { name })
      .evaluate(element => ({ ...getComputedStyle(element) }))
    expect([backgroundColor, backgroundImage]).toEqual(['rgba(0, 0, 0, 0)', expect.stringContaining('16px')])
  }
})
