/** In a browser: Hide and Watch later, from the menu of a card and on the page of the video. */
import type { BrowserContextOptions } from 'playwright-core'
import { expect, it } from 'vitest'
import { scene } from '../support/app/scene.ts'
import { pointAt, useSite } from '../support/browser/site.ts'

const site = useSite()

it.each([false, true])('a card leaves New by Hide, and returns by one Undo, on Watch later: %s', async later => {
  const alice = await scene(site.sql, site.folder)
  await alice.library.viewings.record('wanted', { later })
  const { page, faults } = await site.openAt('/', alice)
  const card = page.locator('.video', { hasText: 'Not asked for' })

  await card.locator('.more-acts > summary').click()
  await card.locator('.panel').getByText('Hide').click()
  await page.getByText('Hidden.').waitFor()
  expect(await card.count()).toBe(0)

  await page.getByRole('button', { name: 'Undo' }).click()
  await card.waitFor()
  await page.getByText(later ? 'Shown again, on Watch later.' : 'Shown again.', { exact: true }).waitFor()
  expect(await card.locator('.marked.later').count()).toBe(later ? 1 : 0)
  expect(faults).toEqual([])
})

it('a card leaves the hidden videos by Show again, and returns by Undo', async () => {
  const alice = await scene(site.sql, site.folder)
  await alice.library.viewings.record('wanted', { not_for_me: true })
  const { page, faults } = await site.openAt('/?dismissed=true', alice)
  const card = page.locator('.video', { hasText: 'Not asked for' })

  await card.locator('.more-acts > summary').click()
  await card.locator('.panel').getByText('Mark as watched').click()
  await card.locator('.marked.seen').waitFor({ state: 'attached' })
  await card.locator('.more-acts > summary').click()
  await card.locator('.panel').getByText('Show again').click()
  await page.getByText('Shown again.').waitFor()
  expect(await card.count()).toBe(0)

  await page.getByRole('button', { name: 'Undo' }).click()
  await card.waitFor()
  expect(faults).toEqual([])
})

it('the buttons on the page of a video show which list it is on', async () => {
  const { page, faults } = await site.openAt('/watch/wanted', await scene(site.sql, site.folder))

  await page.getByRole('button', { name: 'Watch later' }).click()
  await page.getByRole('button', { name: 'Watch later', pressed: true }).waitFor()
  await page.locator('#file .menu > summary').click()
  await page.getByRole('button', { name: 'Hide' }).click()
  await page.getByRole('button', { name: 'Watch later', pressed: false }).waitFor()
  await page.locator('#file .menu > summary').click()
  await page.getByRole('button', { name: 'Show again' }).waitFor()
  expect(faults).toEqual([])
})

it('a card shows its title alone until it is pointed at, and on a phone its menu too', async () => {
  const alice = await scene(site.sql, site.folder)
  const expectControls = async (options: BrowserContextOptions, at_rest: string[], pointed: string[]) => {
    const { page } = await site.openAt('/', alice, options)
    const card = page.locator('.video', { hasText: 'Not asked for' })
    const shown = () =>
      card
        .locator('a, button, summary')
        .evaluateAll(all =>
          all
            .filter(one => one.checkVisibility({ checkOpacity: true }))
            .map(one => one.ariaLabel ?? one.textContent?.trim()),
        )
    expect(await shown()).toEqual(at_rest)
    await pointAt(card)
    // They appear slowly.
    await expect.poll(shown).toEqual(pointed)
  }
  await expectControls({}, ['Not asked for'], ['Not asked for', 'Slow Kitchen', 'Download', 'More actions'])
  const touched = ['Not asked for', 'Slow Kitchen', 'More actions']
  await expectControls({ hasTouch: true, isMobile: true }, touched, touched)
})
