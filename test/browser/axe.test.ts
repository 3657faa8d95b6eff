/** Checks every page with axe-core, in light and dark. */
import { readFile } from 'node:fs/promises'
import type { AxeResults } from 'axe-core'
import { expect, it } from 'vitest'
import { onEveryPage } from '../support/browser/pages.ts'
import { useSite } from '../support/browser/site.ts'

const site = useSite()
const axe = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

it.each(['light', 'dark'] as const)(
  'axe-core finds no fault with any page in %s',
  { timeout: 360_000 },
  async colorScheme => {
    const found: Record<string, string[]> = {}
    // The content security policy would block the script of axe-core, so it is bypassed here.
    await onEveryPage(site, { colorScheme, bypassCSP: true }, async (page, name) => {
      await page.addScriptTag({ content: axe })
      const { violations } = await page.evaluate(async () => (window as unknown as Axed).axe.run())
      const ours = violations.filter(({ id }) => name !== '/api/docs' || !of_swagger_ui.has(id))
      const told = ours.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
      if (told.length > 0) found[name] = told
    })
    expect(found).toEqual({})
  },
)

/** Faults in the markup of the package: buttons within buttons, headings from level three, and a second main element. */
const of_swagger_ui = new Set([
  'nested-interactive',
  'heading-order',
  'landmark-unique',
  'landmark-no-duplicate-main',
  'landmark-main-is-top-level',
])

type Axed = { axe: { run(): Promise<AxeResults> } }
