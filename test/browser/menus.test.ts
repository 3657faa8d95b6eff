/** In a browser: menus can be used with the keyboard alone. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { fullLibrary } from '../support/app/full-library.ts'
import { person, personWith } from '../support/app/people.ts'
import { useSite } from '../support/browser/site.ts'

const site = useSite()

async function opened(path = '/') {
  const alice = await personWith(site.sql, 'alice', 'kitchen', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
  const { page } = await site.openAt(path, alice)
  return page
}
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim())

it('Escape closes a menu, and its summary has the focus', async () => {
  const page = await opened()
  for (const menu of ['.user', '.list-menu', '.filter-menu']) {
    const summary = page.locator(`${menu} > summary`)
    await summary.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.locator(`${menu}[open]`).count(), menu).toBe(1)
    await page.keyboard.press('Escape')

    expect(await page.locator('details.menu[open]').count(), menu).toBe(0)
    expect(await summary.evaluate(element => element === document.activeElement), menu).toBe(true)
  }
})

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

const screens = {
  with: [
    { width: 1440, height: 900 },
    { width: 1280, height: 720 },
  ],
  without: [
    { width: 1280, height: 720 },
    { width: 390, height: 844 },
  ],
}

it.each(['with', 'without'] as const)(
  'every menu opens in view, wherever its button is, on each screen, %s anchors',
  async anchors => {
    const { page } = await site.open(await fullLibrary(site.sql, site.folder))
    if (anchors === 'without') await hideAnchors(page)
    const seen = screens[anchors].map(() => new Set<string>())
    for (const path of paths) {
      await page.goto(path)
      for (const [at, screen] of screens[anchors].entries()) {
        await page.setViewportSize(screen)
        const { kinds, faults } = await page.evaluate(openMenus)
        for (const kind of kinds) seen[at]?.add(`${path} ${kind}`)
        expect(faults, `on ${path}, ${screen.width} pixels wide`).toEqual([])
      }
    }
    for (const { size } of seen) expect(size).toBeGreaterThan(12)
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

/**
 * Runs in the page. Opens a menu of each kind with its button at the bottom, in the middle and at the top of the window. A fault: the panel
 * is not wholly in the window, or something lies over its corners.
 */
async function openMenus(): Promise<{ kinds: string[]; faults: string[] }> {
  const isWhollyShown = (panel: Element) => {
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
  /** A busy machine may take long. */
  const isSoonShown = async (panel: Element) => {
    const latest = performance.now() + 20_000
    while (!isWhollyShown(panel)) {
      if (performance.now() > latest) return false
      await new Promise(requestAnimationFrame)
    }
    return true
  }
  const next = (event: string, of: Element) =>
    new Promise(resolve => of.addEventListener(event, resolve, { once: true }))
  const kinds = new Set<string>()
  const faults: string[] = []
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu')) {
    const [summary, panel] = [menu.querySelector('summary'), menu.querySelector(':scope > .panel')]
    const kind = `${menu.className} in ${menu.parentElement?.className}`
    if (!summary?.checkVisibility() || !panel || kinds.has(kind)) continue
    kinds.add(kind)
    for (const block of ['end', 'center', 'start'] as const) {
      summary.scrollIntoView({ block })
      // Each time the menu of a video opens, it fetches what is in it.
      const filled = next(menu.matches('.more-acts') ? 'htmx:finally:request' : 'toggle', menu)
      summary.click()
      await filled
      if (!(await isSoonShown(panel))) faults.push(`${kind}, at the ${block}`)
      const closed = next('toggle', menu)
      menu.open = false
      await closed
    }
  }
  return { kinds: [...kinds], faults }
}

it('a question in a menu stays within its panel, however long the name in it is', async () => {
  const alice = await person(site.sql, 'alice')
  const title = 'Donaudampfschifffahrtsgesellschaftsmuseumsvereinsvorsitzender'
  await alice.library.channels.save({ channel_id: 'steam', title, rss_url: 'https://videos.example/s' }, [])
  const { page } = await site.open(alice)
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
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
