/**
 * Joins the sheets of `static/css` into the one stylesheet that every page links. A sheet says itself which cascade layers its
 * rules are in. Serving the stylesheet is left to `assets.ts`.
 */
import { readdir, readFile } from 'node:fs/promises'

const folder = new URL('../../../static/css/', import.meta.url)

/** From weak to strong: a page overrides its parts whatever the specificity, and what hides an element overrides both. */
const layers = ['base', 'parts', 'pages', 'hiding']

/** The rooms of the sheets, from the bottom up, as in `src/views`. No rule may depend on the order of sheets within a layer. */
export const rooms = [
  'ui',
  'downloads',
  'videos',
  'watching',
  'channels',
  'search',
  'imports',
  'service',
  'settings',
] as const

export async function joinSheets(): Promise<string> {
  const joined = await Promise.all(rooms.map(joinRoom))
  return `@layer ${layers.join(', ')};\n${joined.join('')}`
}

async function joinRoom(room: string): Promise<string> {
  const sheets = await Promise.all((await sheetsOf(room)).map(sheet => readFile(sheet, 'utf8')))
  return sheets.map(shorten).join('')
}

async function sheetsOf(room: string): Promise<URL[]> {
  const names = (await readdir(new URL(room, folder))).filter(name => name.endsWith('.css')).sort()
  return names.map(name => new URL(`${room}/${name}`, folder))
}

/** The addresses of all sheets, as files. */
export const sheetUrls = async (): Promise<string[]> =>
  (await Promise.all(rooms.map(sheetsOf))).flat().map(({ href }) => href)

/** Removes comments, indentation and empty lines, which a browser does not need. */
export const shorten = (css: string): string => css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s+/gm, '')
