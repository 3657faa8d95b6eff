/** In a browser: a title or name written from right to left begins where every other one begins. */
import { expect, it } from 'vitest'
import { fullLibrary } from '../support/app/full-library.ts'
import { desktop, useSite } from '../support/browser/site.ts'

const site = useSite()

const name = 'رحلات'

const pages = [
  '/',
  '/?later=true',
  '/channels',
  '/channels?select=1',
  '/channels/desert?view=grid',
  '/channels/desert?view=list',
  '/channels/desert/settings',
  '/groups',
  '/downloads',
  '/space',
  '/search?q=رحلة',
  '/search?q=الصحراء',
  '/watch/desert-3',
  '/watch/desert-4',
]

it('aligns titles and names by the page, not by their own letters', async () => {
  const carol = await fullLibrary(site.sql, site.folder)
  const { library } = carol
  const { group_id } = await library.groups.create(name)
  await library.groups.setOfChannel('bench', [group_id])
  await library.searches.create({ name, q: 'رحلة', sort: 'relevance' })
  await library.viewings.record('bench-3', { later: true, position_seconds: 9 })
  await library.downloads.request(['bench-3', 'bench-11'])
  const { page } = await site.open(carol, desktop)
  const misplaced: string[] = []
  let found = 0
  for (const path of [...pages, `/?group=${group_id}`, `/groups/${group_id}`]) {
    await page.goto(path)
    // A part that is folded is measured as well.
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll('details:not(.menu)')) fold.setAttribute('open', '')
    })
    const { count, faults } = await page.evaluate(placesOfArabic)
    if (count === 0) misplaced.push(`${path} has none`)
    found += count
    misplaced.push(...faults.map(fault => `${path}: ${fault}`))
  }
  expect(misplaced).toEqual([])
  expect(found).toBeGreaterThan(50)
})

/** Runs in the page. Prose, such as a description or what is said, is left out: it has a side of its own. */
function placesOfArabic() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) {
    const text = walker.currentNode as Text
    const element = text.parentElement
    if (!element || !/[\u0600-\u06ff]/.test(text.data)) continue
    if (element.checkVisibility() && !element.closest('.spoken, .description, .lines')) texts.push(text)
  }
  /** Where the visible part of the text, or of the whole title around it, begins. */
  const left = (text: Text) => {
    const range = document.createRange()
    range.selectNodeContents(text.parentElement?.closest('bdi, [dir]') ?? text)
    const box = range.commonAncestorContainer.parentElement?.getBoundingClientRect()
    return Math.round(Math.max(range.getBoundingClientRect().left, box?.left ?? 0))
  }
  const before = texts.map(left)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('* { direction: ltr !important; unicode-bidi: normal !important }')
  document.adoptedStyleSheets = [sheet]
  const after = texts.map(left)
  const faults = texts.flatMap((text, at) =>
    before[at] === after[at]
      ? []
      : [
          `${before[at]} instead of ${after[at]}: ${text.parentElement?.outerHTML.slice(0, 90)} in .${text.parentElement?.parentElement?.className}`,
        ],
  )
  return { count: texts.length, faults }
}
