/** In a browser: a press anywhere on a row or a card opens it, and a press on a control in it does only what the control says. */
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { Person } from '../support/app/people.ts'
import { addFacts, scene } from '../support/app/scene.ts'
import { desktop, readyForKeys, useSite } from '../support/browser/site.ts'

const site = useSite()

/** `?now`: it plays at once. */
function pathOf(page: Page): string {
  const { pathname, searchParams } = new URL(page.url())
  return pathname + (searchParams.has('now') ? '?now' : '')
}

/** Presses `place`, given as parts of the width and the height. */
async function press(page: Page, what: Locator, [across, down]: readonly [number, number]): Promise<void> {
  // The bar at the bottom of a phone covers what is only just in view.
  await what.evaluate(element => element.scrollIntoView({ block: 'center' }))
  const box = await what.boundingBox()
  if (!box) throw new Error('it is not shown')
  await page.mouse.click(box.x + box.width * across, box.y + box.height * down)
}

/** For tests that change nothing. */
let alice: Person
beforeAll(async () => {
  alice = await withFacts()
})
async function withFacts() {
  const made = await scene(site.sql, site.folder)
  await addFacts(made, site.folder)
  return made
}
const alices = async (options = {}, as = alice) => (await site.open(as, options)).page

const middle = [0.5, 0.5] as const
const places: [where: string, path: string, what: string, at: readonly [number, number], leads: string][] = [
  ['the picture of a card', '/', '.video:has(#title-done-1) .thumbnail', middle, '/watch/done-1?now'],
  ['the empty end of the title of a card', '/', '.video #title-done-1', [0.95, 0.5], '/watch/done-1?now'],
  [
    'the picture of a row',
    '/channels/kitchen?view=list',
    '.row:has(#title-done-1) .thumbnail',
    middle,
    '/watch/done-1?now',
  ],
  [
    'the empty part of a row',
    '/channels/kitchen?view=list',
    '.row:has(#title-done-1) .about',
    [0.9, 0.5],
    '/watch/done-1?now',
  ],
  ['the picture of a download', '/downloads', '#row-done-1 .thumbnail', middle, '/watch/done-1?now'],
  ['the empty part of a download', '/downloads', '#row-done-1 .about', [0.9, 0.5], '/watch/done-1?now'],
  ['the picture of a result', '/search?q=soup', '.row .thumbnail', middle, '/watch/done-1?now'],
  ['the picture of a begun video', '/', '.begun .thumbnail', middle, '/watch/fact-kept?now'],
  ['the empty part of a file', '/space', '.files .row .about', [0.9, 0.5], '/watch/done-2?now'],
  ['the picture of a video that is not on disk', '/', '.video:has(#title-wanted) .thumbnail', middle, '/watch/wanted'],
  ['the face of a channel', '/channels', '.row:has-text("Slow Kitchen") .avatar', middle, '/channels/kitchen'],
  ['the end of the row of a channel', '/channels', '.row:has-text("Slow Kitchen")', [0.7, 0.5], '/channels/kitchen'],
  ['the name of the channel in a card', '/', '.video:has(#title-done-1) .line a', middle, '/channels/kitchen'],
]

it.each([1440, 390])('a press on any part of a card or a row opens it, at %i px', async width => {
  const page = await alices({ viewport: { width, height: 900 } })
  const led: Record<string, string> = {}
  for (const [where, path, what, at] of places) {
    await page.goto(path)
    await press(page, page.locator(what).first(), at)
    await page.waitForURL(url => url.pathname !== path.replace(/\?.*/, '')).catch(() => {})
    led[where] = pathOf(page)
  }
  expect(led).toEqual(Object.fromEntries(places.map(([where, , , , leads]) => [where, leads])))
})

it('a press on a checkbox or a menu in a row does not open the row', async () => {
  const page = await alices()
  await page.goto('/downloads?select=1')
  const row = page.locator('#row-done-1')
  await press(page, row.locator('.choose'), middle)
  expect(await row.getByRole('checkbox').isChecked()).toBe(true)
  await page.goto('/downloads')
  await row.hover()
  await press(page, row.locator('summary'), middle)
  await row.getByRole('link', { name: 'Save to this device' }).waitFor()

  expect(pathOf(page)).toBe('/downloads')
})

it('a row has one link to its video, for those who go from link to link', async () => {
  const page = await alices()
  for (const path of ['/', '/channels/kitchen', '/downloads']) {
    await page.goto(path)
    expect(await page.locator('a[href="/watch/running"]').count(), path).toBe(1)
  }
})

it('Enter on Download and Enter once more does not cancel the download', async () => {
  const page = await alices({}, await withFacts())
  await page.goto('/')
  const card = page.locator('.video:has(#title-wanted)')
  await readyForKeys(page)
  await card.getByRole('button', { name: 'Download' }).focus()
  await page.keyboard.press('Enter')
  await card.getByRole('button', { name: 'Cancel' }).waitFor()

  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')

  expect(await card.getByRole('button', { name: 'Cancel' }).evaluate(it => it === document.activeElement)).toBe(true)
})

it('a file that arrived while its list was open plays at the first press', async () => {
  const waiting = await scene(site.sql, site.folder)
  const page = await alices({}, waiting)
  await page.goto('/')
  const card = page.locator('.video:has(#title-waiting-1)')
  await site.finishesFilm(waiting, 'waiting-1')
  await card.locator('.cell.completed').waitFor({ state: 'attached' })

  await press(page, card.locator('.thumbnail'), middle)

  await page.waitForURL('**/watch/waiting-1?**')
  expect(pathOf(page)).toBe('/watch/waiting-1?now')
})

it('the menu of a card does what it says, and gives the focus back', async () => {
  const page = await alices({}, await withFacts())
  await page.goto('/')
  const card = page.locator('.video:has(#title-done-1)')
  await card.locator('summary').click()

  await card.locator('.panel').getByRole('button', { name: 'Mark as watched' }).click()

  await card.locator('.marked.seen').waitFor({ state: 'attached' })
  expect(await card.locator('.more-acts[open]').count()).toBe(0)
  expect(await card.locator('summary').evaluate(it => it === document.activeElement)).toBe(true)
})

it('a failure takes one line of a card, and says the rest when asked', async () => {
  const page = await alices(desktop)
  await page.goto('/')
  const card = page.locator('.video:has(#title-failed)')
  const height = async () => (await card.boundingBox())?.height ?? 0
  const before = await height()
  expect(before).toBeLessThan(270)

  await card.getByText('Why?').click()

  await card.locator('.why').getByText('Nothing to retry; it may open later.').waitFor()
  expect(await height()).toBe(before)
})
