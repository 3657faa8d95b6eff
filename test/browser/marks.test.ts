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
