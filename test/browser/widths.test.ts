/** Checks at every width that nothing is cut or scrolls sideways, and on a phone that controls are large enough for a thumb. */
import { expect, it } from 'vitest'
import { onEveryPage } from '../support/browser/pages.ts'
import { useSite } from '../support/browser/site.ts'

const site = useSite()

const widths = [360, 390, 768, 1280, 1920, 2560]

it('every page fits into every width', { timeout: 360_000 }, async () => {
  const found: Record<string, string[]> = {}
  await onEveryPage(site, {}, async (page, name) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      const told = [...(await page.evaluate(outside)), ...(width < 500 ? await page.evaluate(tooSmall) : [])]
      if (told.length > 0) found[`${name} at ${width} px`] = told
    }
  })
  expect(found).toEqual({})
})

/** Runs in the page. */
function outside(): string[] {
  const width = document.documentElement.clientWidth
  const scrolls =
    (document.scrollingElement?.scrollWidth ?? 0) > width
      ? [`the page is ${document.scrollingElement?.scrollWidth} wide`]
      : []
  /** Such as chips in one line: what is outside of it is reached by scrolling it. */
  const scrollsSideways = (around: Element | null): boolean =>
    around !== null && (/auto|scroll/.test(getComputedStyle(around).overflowX) || scrollsSideways(around.parentElement))
  const cut = [...document.querySelectorAll('body *')].filter(element => {
    const { left, right, width: own } = element.getBoundingClientRect()
    const hides = element.closest('.spoken, .skip, [hidden], details:not([open]) > :not(summary)')
    return own > 0 && !hides && !scrollsSideways(element.parentElement) && (left < -1 || right > width + 1)
  })
  return [...scrolls, ...cut.slice(0, 5).map(({ outerHTML }) => `outside: ${outerHTML.slice(0, 120)}`)]
}

/** Runs in the page. Links within a sentence may be smaller than a thumb. */
function tooSmall(): string[] {
  const controls = document.querySelectorAll(
    'button, summary, input:not([type=hidden]), select, textarea, a.button, a.chip, nav a, a.item',
  )
  return [...controls].flatMap(control => {
    // The label around a box can be pressed, too.
    const target = control.matches('[type=checkbox], [type=radio]') ? (control.closest('label') ?? control) : control
    const { width, height } = target.getBoundingClientRect()
    const hidden = width === 0 || control.closest('.spoken, .skip, [hidden], details:not([open]) > :not(summary)')
    return hidden || (height >= 43.5 && width >= 43.5)
      ? []
      : [`${Math.round(width)}×${Math.round(height)}: ${control.outerHTML.slice(0, 120)}`]
  })
}
