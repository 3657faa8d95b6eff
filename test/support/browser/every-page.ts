/**
 * In a browser: what must be true of every page. It has no fault that axe-core knows, in light and dark; it keeps to its content security
 * policy; it is small; it fits into every width, and on a phone its controls are large enough for a thumb. Each page is loaded once for all
 * of this.
 */
import { readFile } from 'node:fs/promises'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { About } from '../app/pages.ts'
import { onEachPage } from './pages.ts'
import { findKitchen, useSite } from './site.ts'

type Name = (typeof claims)[number]
const claims = [
  'axe-core finds no fault with any page in light',
  'axe-core finds no fault with any page in dark',
  'axe-core finds no fault with anything that opens on a page',
  'no page violates its content security policy, asks another host, or has an error in a script',
  'no page is heavier than 100 kB without its pictures',
  'every page fits into every width',
] as const

/** What is wrong, by claim and page. */
type Faults = Record<Name, Record<string, unknown>>

/** Registers the tests of the pages about this. */
export function checkPages(about: About): void {
  const site = useSite({ findFeed: findKitchen })
  let visited: Promise<Faults> | undefined
  const visit = () => {
    visited ??= visitAll(site, about)
    return visited
  }
  it.each(claims)('%s', { timeout: 360_000 }, async claim => {
    expect((await visit())[claim]).toEqual({})
  })
}

async function visitAll(site: ReturnType<typeof useSite>, about: About): Promise<Faults> {
  const faults = Object.fromEntries(claims.map(claim => [claim, {}])) as Faults
  const axe = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  const script = `${axe}\n(${recordViolations})()`
  const checked = new Set<string>()
  await onEachPage(site, about, { script }, async (page, name, opened) => {
    const note = (claim: Name, where: string, told: unknown[]) => {
      if (told.length > 0) faults[claim][where] = told
    }
    note('no page is heavier than 100 kB without its pictures', name, await tooHeavy(page, name))
    await page.emulateMedia({ colorScheme: 'light' })
    if (name === api_docs) await settled(page, 'html:not(.dark-mode)')
    note('axe-core finds no fault with any page in light', name, await faultsOf(page, name, all_rules))
    await page.emulateMedia({ colorScheme: 'dark' })
    note('axe-core finds no fault with any page in dark', name, await faultsInDark(page, name))
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      const told = await page.evaluate(outside)
      if (width < 500) told.push(...(await page.evaluate(tooSmall)))
      if (width === widths[0]) told.push(...(await faultsOf(page, name, rules_of_size)))
      note('every page fits into every width', `${name} at ${width} px`, told)
    }
    if (name !== api_docs)
      note('axe-core finds no fault with anything that opens on a page', name, await faultsOfOpened(page, checked))
    await page.setViewportSize({ width: 1280, height: 720 })
    note('no page violates its content security policy, asks another host, or has an error in a script', name, [
      ...opened(),
      ...(await page.evaluate(violations)),
    ])
  })
  return faults
}

// Policy.

type Noting = { violations: string[] }

/** Runs in the page before its own scripts. */
export function recordViolations(): void {
  const violations: string[] = []
  Object.assign(window, { violations } satisfies Noting)
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    violations.push(`${violatedDirective} stopped ${blockedURI} ${sample}`),
  )
}

/** Runs in the page. */
export const violations = () => (window as unknown as Noting).violations

// Weight.

/** Its bytes if they are too many, or none were measured. */
async function tooHeavy(page: Page, name: string): Promise<number[]> {
  // This page loads a large package once, to show and try the API.
  if (name === api_docs) return []
  const sizes = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter(entry => !['img', 'video', 'audio'].includes((entry as PerformanceResourceTiming).initiatorType))
      .map(entry => (entry as PerformanceResourceTiming).encodedBodySize),
  )
  const bytes = sizes.reduce((all, one) => all + one, 0)
  return bytes > 100_000 || bytes === 0 ? [bytes] : []
}

const api_docs = '/api/docs'

// Axe.

/** The rule and the element of each fault. */
async function faultsOf(page: Page, name: string, options: RunOptions): Promise<string[]> {
  const told = await page.evaluate(async chosen => {
    const { violations } = await (window as unknown as Axed).axe.run(chosen)
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => ({ id, html: html.slice(0, 200) })))
  }, options)
  return told.filter(({ id }) => name !== api_docs || !of_swagger_ui.has(id)).map(({ id, html }) => `${id}: ${html}`)
}

async function faultsInDark(page: Page, name: string): Promise<string[]> {
  if (name !== api_docs) return faultsOf(page, name, rules_of_colour)
  await settled(page, 'html.dark-mode')
  return faultsOf(page, name, all_rules)
}

/**
 * On a desktop and a phone, in light and dark. Each kind of menu is opened once a page, with all that opens in it. Most of what opens
 * has the same markup on many pages, such as the list of keys: axe checks it once. `checked`: what was checked on the pages before, by
 * its hash.
 */
async function faultsOfOpened(page: Page, checked: Set<string>): Promise<string[]> {
  const told: string[] = []
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    const { faults, hashes } = await page.evaluate(openAndCheck, {
      checked: [...checked],
      themes: { light: all_rules, dark: rules_of_colour },
    })
    for (const hash of hashes) checked.add(hash)
    told.push(...faults.map(fault => `at ${width} px in ${fault}`))
  }
  return told
}

type Opening = { checked: string[]; themes: Record<'light' | 'dark', RunOptions> }

/** Runs in the page. */
async function openAndCheck({ checked, themes }: Opening): Promise<{ faults: string[]; hashes: string[] }> {
  const faults: string[] = []
  const hashes = new Set(checked)
  const open = async (details: HTMLDetailsElement) => {
    const opened = new Promise(resolve => details.addEventListener('toggle', resolve, { once: true }))
    details.open = true
    await opened
    while (document.querySelector('.htmx-request')) await new Promise(requestAnimationFrame)
  }
  const openWithin = async (part: Element) => {
    for (const details of part.querySelectorAll('details'))
      if (!details.open && details.checkVisibility()) await open(details)
  }
  /** Equal for markup that differs only in addresses, in elements of the same classes, in a window of the same width. */
  const hashOf = async (part: Element) => {
    const around: string[] = []
    for (let outer = part.parentElement; outer; outer = outer.parentElement)
      around.push(`${outer.tagName} ${outer.className}`)
    const markup = part.outerHTML.replaceAll(/ (href|action|hx-get|hx-post)="[^"#]*"/g, ' $1')
    const text = JSON.stringify([innerWidth, around, markup])
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
    return String(new Uint8Array(digest))
  }
  const check = async (name: string, part: Element) => {
    const hash = await hashOf(part)
    if (hashes.has(hash)) return
    hashes.add(hash)
    // An open menu may cover its own button, whose size is checked while the menu is closed.
    const own_button = part.querySelector(':scope > summary')?.outerHTML ?? ''
    const { dataset } = document.documentElement
    const { theme: own } = dataset
    for (const [theme, options] of Object.entries(themes)) {
      dataset.theme = theme
      for (const change of document.getAnimations()) if (change instanceof CSSTransition) change.finish()
      const { violations } = await (window as unknown as Axed).axe.run(part, options)
      for (const { id, nodes } of violations)
        for (const { html } of nodes)
          if (id !== 'target-size' || !own_button.startsWith(html))
            faults.push(`${theme}, ${name}, ${id}: ${html.slice(0, 200)}`)
    }
    dataset.theme = own
  }
  const kinds = new Set<string>()
  for (const details of document.querySelectorAll('details')) {
    const around = details.parentElement
    const name = `${details.className || details.id} in ${around?.tagName} ${around?.className}`
    if (details.open || !details.checkVisibility() || kinds.has(name)) continue
    kinds.add(name)
    await open(details)
    await openWithin(details)
    await check(name, details)
    for (const each of [details, ...details.querySelectorAll('details')]) each.open = false
  }
  for (const sheet of document.querySelectorAll<HTMLElement>('[popover], dialog')) {
    if (sheet instanceof HTMLDialogElement) sheet.showModal()
    else sheet.showPopover()
    await openWithin(sheet)
    await check(sheet.id, sheet)
    if (sheet instanceof HTMLDialogElement) sheet.close()
    else sheet.hidePopover()
  }
  return { faults, hashes: [...hashes] }
}

/** A script of the package that shows the API chooses the colours of its page, some of which change slowly. */
async function settled(page: Page, root: string): Promise<void> {
  await page.locator(root).waitFor()
  await page.evaluate(() => {
    for (const change of document.getAnimations()) if (change instanceof CSSTransition) change.finish()
  })
}

const only_faults: RunOptions = { resultTypes: ['violations'], selectors: false }

/** The size of what is pressed is off by default. */
const all_rules: RunOptions = { ...only_faults, rules: { 'target-size': { enabled: true } } }
/** What a finger presses is 24 px large, or as far from everything else. */
const rules_of_size: RunOptions = { ...only_faults, runOnly: { type: 'rule', values: ['target-size'] } }

/** Our sheets change nothing but colours between light and dark (`colours.test.ts`), so all other rules find the same in both. */
const rules_of_colour: RunOptions = {
  ...only_faults,
  runOnly: { type: 'tag', values: ['cat.color'] },
  // Off by default: it asks for more contrast than the other rule for colours.
  rules: { 'color-contrast-enhanced': { enabled: false } },
}

/** Faults in the markup of the package: buttons within buttons, headings from level three, a second main element, and low links. */
const of_swagger_ui = new Set([
  'nested-interactive',
  'heading-order',
  'landmark-unique',
  'landmark-no-duplicate-main',
  'landmark-main-is-top-level',
  'target-size',
])

type Axed = { axe: { run(...of: [RunOptions] | [Element, RunOptions]): Promise<AxeResults> } }

// Width.

const widths = [360, 390, 768, 1280, 1920, 2560]

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
    if (own === 0 || (left >= -1 && right <= width + 1)) return false
    const hides = element.closest('.spoken, .skip, [hidden], details:not([open]) > :not(summary)')
    return !hides && !scrollsSideways(element.parentElement)
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
