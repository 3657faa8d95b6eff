/**
 * Serves the stylesheet, scripts and icons from memory. A browser keeps a file whose address has its version for a year, so only the first
 * page loads it; a file without it is revalidated by its hash.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import { join } from 'node:path/posix'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { type Context, Hono } from 'hono'
import { loadedOnce } from '../../runtime/cache.ts'
import type { Env } from './context.ts'
import { type Encoding, encoded, encodingFor } from './encoding.ts'

type Asset = {
  body: Bytes
  type: string
  version: string
  /** The modules that it imports. */
  imports: string[]
  compressed: Map<Encoding, Promise<Bytes>>
}
type Assets = Map<string, Asset>
type Bytes = Uint8Array<ArrayBuffer>

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
}

/** Files of npm packages, by the name they are served under. */
const package_files = {
  'htmx.js': 'htmx.org/dist/htmx.min.js',
  'swagger-ui.js': 'swagger-ui-dist/swagger-ui-bundle.js',
  'swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
}

/** The folders of `static/` that hold modules. */
const module_folders = ['page', 'player']

/**
 * The joined stylesheet, the files and modules in `static/`, and the files from packages. All apps of a process share them and their
 * compressed forms.
 */
export const loadAssets = loadedOnce(async (): Promise<Assets> => {
  const folder = new URL('../../../static/', import.meta.url)
  const listed = await Promise.all(['.', ...module_folders].map(room => namesIn(folder, room)))
  const names = listed.flat().filter(name => extname(name) in types)
  const own = names.map(name => [name, new URL(name, folder).href] as const)
  const others = Object.entries(package_files).map(([name, path]) => [name, import.meta.resolve(path)] as const)
  const read = [...own, ...others].map(
    async ([name, url]) => [name, assetOf(name, await contentOf(name, fileURLToPath(url)))] as const,
  )
  restartOnChange([...own.map(([, url]) => url), ...(await sheetUrls())])
  const stylesheet = assetOf('backlot.css', new TextEncoder().encode(await joinSheets()))
  return new Map([['backlot.css', stylesheet], ...(await Promise.all(read))])
})

/** `node --watch` (`npm run dev`) watches what is imported, and these files too. Elsewhere this does nothing. */
const restartOnChange = (urls: string[]): void =>
  void (process.env.WATCH_REPORT_DEPENDENCIES && process.send?.({ 'watch:import': urls }))

const namesIn = async (folder: URL, room: string): Promise<string[]> =>
  (await readdir(new URL(room, folder))).map(name => join(room, name))

async function contentOf(name: string, path: string): Promise<Bytes> {
  if (!isModule(name)) return new Uint8Array(await readFile(path))
  return new TextEncoder().encode(withoutComments(await readFile(path, 'utf8')))
}

const isModule = (name: string): boolean => module_folders.includes(dirname(name))

/** A third of a module is comments and types, which a browser does not need. Its lines keep their numbers. */
const withoutComments = (text: string): string =>
  text.replace(/\/\*\*[\s\S]*?\*\/|^[ \t]*\/\/.*/gm, comment => comment.replace(/[^\n]/g, ''))

function assetOf(name: string, body: Bytes): Asset {
  const version = createHash('sha256').update(body).digest('base64url').slice(0, 12)
  const type = types[extname(name)] ?? 'application/octet-stream'
  return { body, type, version, imports: importsOf(name, body), compressed: new Map() }
}

/** The names of the modules that a module imports. */
function importsOf(name: string, body: Bytes): string[] {
  if (!isModule(name)) return []
  const statements = new TextDecoder().decode(body).matchAll(/^import\s(?:[^'"]*?\sfrom\s)?'(\.[^']+)'/gm)
  return [...statements].map(([, path = '']) => join(dirname(name), path))
}

export const assets = (all: Assets) =>
  new Hono<Env>()
    .get('/static/:name', c => give(c, all.get(c.req.param('name'))))
    .get('/static/:folder/:name', c => give(c, all.get(`${c.req.param('folder')}/${c.req.param('name')}`)))
    // Programs that show a link to this site request it without reading a page.
    .get('/favicon.ico', c => give(c, all.get('favicon.ico')))
    // A worker is asked only about pages below its own address.
    .get('/service-worker.js', c => give(c, all.get('service-worker.js')))

async function give(c: Context<Env>, asset: Asset | undefined) {
  if (!asset) return c.notFound()
  const encoding = isText(asset) ? encodingFor(c.req.header('accept-encoding')) : undefined
  // Weak, because every encoding has the same tag.
  const etag = `W/"${asset.version}"`
  c.header('ETag', etag)
  c.header('Cache-Control', c.req.query('v') === asset.version ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (isText(asset)) c.header('Vary', 'Accept-Encoding')
  if (c.req.header('if-none-match') === etag) return c.body(null, 304)
  c.header('Content-Type', asset.type)
  if (!encoding) return c.body(asset.body)
  c.header('Content-Encoding', encoding)
  return c.body(await compressed(asset, encoding))
}

const isText = ({ type }: Asset): boolean => /^text|svg|json/.test(type)

/** Compresses once for each encoding a client accepts: the largest file takes two seconds. */
function compressed(asset: Asset, encoding: Encoding): Promise<Bytes> {
  const known = asset.compressed.get(encoding)
  if (known) return known
  const work = encoded(asset.body, encoding)
  asset.compressed.set(encoding, work)
  return work
}

const sheet_folder = new URL('../../../static/css/', import.meta.url)

/** From weak to strong: a page overrides its parts whatever the specificity, and what hides an element overrides both. */
const layers = ['base', 'parts', 'pages', 'hiding']

/** The rooms of the sheets, from the bottom up, as in `src/views`. No rule may depend on the order of sheets within a layer. */
export const rooms = [
  'ui',
  'downloads',
  'videos',
  'watching',
  'links',
  'channels',
  'search',
  'imports',
  'service',
  'settings',
  'admin',
] as const

/** Joins the sheets of `static/css` into the one stylesheet that every page links. A sheet says itself which layers its rules are in. */
export async function joinSheets(): Promise<string> {
  const joined = await Promise.all(rooms.map(joinRoom))
  return `@layer ${layers.join(', ')};\n${joined.join('')}`
}

async function joinRoom(room: string): Promise<string> {
  const sheets = await Promise.all((await sheetsOf(room)).map(sheet => readFile(sheet, 'utf8')))
  return sheets.map(shorten).join('')
}

async function sheetsOf(room: string): Promise<URL[]> {
  const names = (await readdir(new URL(room, sheet_folder))).filter(name => name.endsWith('.css')).sort()
  return names.map(name => new URL(`${room}/${name}`, sheet_folder))
}

/** The addresses of all sheets, as files. */
const sheetUrls = async (): Promise<string[]> => (await Promise.all(rooms.map(sheetsOf))).flat().map(({ href }) => href)

/** Removes comments, indentation and empty lines, which a browser does not need. */
export const shorten = (css: string): string => css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s+/gm, '')
