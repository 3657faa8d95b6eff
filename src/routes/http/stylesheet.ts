/**
 * Joins the sheets of `static/css` into the one stylesheet that every page links. The folder of a sheet is its cascade
 * layer. Serving it is left to `assets.ts`.
 */
import { readdir, readFile } from 'node:fs/promises'

/** From weak to strong: a page overrides its parts whatever the specificity, and what hides an element overrides both. */
export const layers = ['base', 'parts', 'pages', 'hiding'] as const

/** Within a layer the sheets are sorted by name, and no sheet may depend on that order. */
export async function joinSheets(): Promise<string> {
  const joined = await Promise.all(layers.map(joinLayer))
  return joined.join('')
}

async function joinLayer(layer: string): Promise<string> {
  const folder = new URL(`../../../static/css/${layer}/`, import.meta.url)
  const names = (await readdir(folder)).filter(name => name.endsWith('.css')).sort()
  const sheets = await Promise.all(names.map(name => readFile(new URL(name, folder), 'utf8')))
  return `@layer ${layer} {\n${sheets.map(shorten).join('')}}\n`
}

/** Removes comments, indentation and empty lines, which a browser does not need. */
export const shorten = (css: string): string => css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s+/gm, '')
