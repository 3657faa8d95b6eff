/** In a browser: menus can be used with the keyboard alone. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { fullLibrary } from '../support/app/full-library.ts'
import { person, personWith } from '../support/app/people.ts'
import { useSite } from '../support/browser/site.ts'

const site = useSite()

async function opened(path = '/') {
  const alice = await personWith(site.sql, 'alice', 'kitchen', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
  const { page } = await site.open(alice)
  await page.goto(path)
  return page
}
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim())

it.each(['.user', '.list-menu', '.filter-menu'])(
  'Escape closes the menu %s, and its summary has the focus',
  async menu => {
    const page = await opened()
    const summary = page.locator(`${menu} > summary`)
    await summary.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')

    expect(await page.locator('details.menu[open]').count()).toBe(0)
    expect(await summary.evaluate(element => element === document.activeElement)).toBe(true)
  },
)

it('arrows move among the items of an open menu, around its ends, and do not scroll the page', async () => {
  const page = await opened()
  await page.setViewportSize({ width: 600, height: 360 })
  await page.locator('.user > summary').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  expect(await focused(page)).toBe('Auto')
  await page.keyboard.press('ArrowUp')
  expect(await focused(page)).toBe('Sign out')
  await page.keyboard.press('ArrowDown')
  expect(await focused(page)).toBe('Auto')
  expect(await page.evaluate(() => [scrollY, document.body.scrollHeight > innerHeight])).toEqual([0, true])
})

it.each([
  [1440, 900, 'with'],
  [1280, 720, 'with'],
  [1280, 720, 'without'],
  [390, 844, 'without'],
])(
  'every menu opens in view, wherever its button is, at %i × %i, %s anchors',
  {
    timeout: 120_000,
  },
  async (width, height, has_anchors) => {
    const carol = await fullLibrary(site.sql, site.folder)
    const { page } = await site.open(carol, { viewport: { width, height } })
    if (has_anchors === 'without') await hideAnchors(page)
    const seen = new Set<string>()
    for (const path of paths) {
      await page.goto(path)
      for (const menu of await page.locator('details.menu').all()) {
        const summary = menu.locator('> summary')
        if (!(await summary.isVisible())) continue
        const kind = `${path} ${await menu.getAttribute('class')} ${await menu.evaluate(({ parentElement }) => parentElement?.className)}`
        if (seen.has(kind)) continue
        seen.add(kind)
        for (const part of ['end', 'center', 'start'] as const) {
          await summary.evaluate((element, block) => element.scrollIntoView({ block }), part)
          const fetched = kind.includes('more-acts') ? page.waitForResponse(/\/menu$/) : null
          await summary.dispatchEvent('click')
          await fetched
          await expect
            .poll(() => menu.locator('> .panel').evaluate(isWhollyShown), { message: `${kind}, at the ${part}` })
            .toBe(true)
          await page.keyboard.press('Escape')
        }
      }
    }
    expect(seen.size).toBeGreaterThan(12)
  },
)

/** As in a browser that cannot place a panel in the window, next to its button. */
const hideAnchors = (page: Page) =>
  page.route(/\.css/, async route => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll(/\(position-area:/g, '(unknown-area:') })
  })

const paths = [
  '/',
  '/channels',
  '/channels?select=1',
  '/channels/bench',
  '/channels/bench?view=list',
  '/downloads',
  '/search?q=bread',
  '/watch/kitchen-4',
  '/watch/bench-2',
  '/watch/audio-2',
]

/** Runs in the page: the panel is in the window, and nothing lies over its corners. */
function isWhollyShown(panel: Element): boolean {
  const { left, top, right, bottom } = panel.getBoundingClientRect()
  const corners = [
    [left + 9, top + 9],
    [right - 9, top + 9],
    [left + 9, bottom - 9],
    [right - 9, bottom - 9],
  ] as const
  return (
    left >= 0 &&
    top >= 0 &&
    right <= innerWidth &&
    bottom <= innerHeight &&
    corners.every(([x, y]) => panel.contains(document.elementFromPoint(x, y)))
  )
}

it('a question in a menu stays within its panel, however long the name in it is', async () => {
  const alice = await person(site.sql, 'alice')
  const title = 'Donaudampfschifffahrtsgesellschaftsmuseumsvereinsvorsitzender'
  await alice.library.channels.save({ channel_id: 'steam', title, rss_url: 'https://videos.example/s' }, [])
  for (const width of [1440, 390]) {
    const { page } = await site.open(alice, { viewport: { width, height: 900 } })
    await page.goto('/channels/steam')
    await page.locator('.channel-menu > summary').click()
    await page.getByText('Unfollow…', { exact: true }).click()
    const spilling = await page.locator('.channel-menu > .panel').evaluate(panel => {
      const { right } = panel.getBoundingClientRect()
      return [...panel.querySelectorAll('*')].filter(part => part.getBoundingClientRect().right > right).length
    })
    expect(spilling, `at ${width} px`).toBe(0)
    const panel = await page.locator('.channel-menu > .panel').boundingBox()
    if (width === 390) expect(panel?.x).toBe(16)
  }
})
