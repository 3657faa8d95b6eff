/** Light and dark pages have the same markup and layout, so most of what is checked in light holds in dark. */
import { expect, it } from 'vitest'
import { joinSheets } from '../../src/routes/http/assets.ts'

it('dark pages differ from light ones in their colours only', async () => {
  const sheets = await joinSheets()
  const of_a_theme = [...sheets.matchAll(/\[data-theme[^{]*\{([^}]*)\}/g)].map(([, rules = '']) => rules.trim())
  expect(of_a_theme).toEqual(['color-scheme: light;', 'color-scheme: dark;'])
  expect(sheets).not.toContain('prefers-color-scheme')
})
