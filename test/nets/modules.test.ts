/** Checks the modules that browsers load: each is used, none imports itself through others, and all are short. */
import { readFile } from 'node:fs/promises'
import { transform } from 'esbuild'
import { expect, it } from 'vitest'
import { loadAssets } from '../../src/routes/http/assets.ts'
import { importedBy, importMapOf } from '../../src/views/frames/layout.tsx'

const assets = await loadAssets()
const modules = [...assets.keys()].filter(name => /^(page|player)\//.test(name))

/** The modules that pages start. The last two are loaded where a file on the page needs them. */
const started = [
  'page/every-page.js',
  'page/dropping.js',
  'page/search-suggestions.js',
  'page/list-keys.js',
  'page/passkeys.js',
  'page/playlist.js',
  'page/web-push.js',
  'page/api-docs.js',
  'player/watch-page.js',
  'page/lacked-codecs.js',
  'player/sounds.js',
]

it('a page starts or a module imports every module', () => {
  expect(modules.length).toBeGreaterThan(20)
  expect([...started, ...importedBy(assets, started)].toSorted()).toEqual(modules.toSorted())
})

it('no module imports itself through others', () => {
  expect(modules.filter(name => assets.get(name)?.imports.some(next => importedFrom(next).includes(name)))).toEqual([])
})

it('the modules of every page import nothing of the player', () => {
  const of_page = modules.filter(name => name.startsWith('page/'))
  expect(importedBy(assets, of_page).filter(name => name.startsWith('player/'))).toEqual([])
})

it('the import map has the address with the version of every imported module', () => {
  const { imports } = JSON.parse(importMapOf(assets, true)) as { imports: Record<string, string> }
  const imported = new Set(modules.flatMap(name => assets.get(name)?.imports ?? []))
  const addresses = [...imported].map(name => [`/static/${name}`, `/static/${name}?v=${assets.get(name)?.version}`])
  expect(imports).toEqual(Object.fromEntries(addresses))
})

it('the import map of a page without a player leaves out the modules of the player', () => {
  const { imports } = JSON.parse(importMapOf(assets, false)) as { imports: Record<string, string> }
  const names = Object.keys(imports)
  expect(names.filter(name => name.startsWith('/static/player/'))).toEqual([])
  expect(names.length).toBeGreaterThan(5)
})

it('browsers get each module without its comments, and otherwise as it is', async () => {
  for (const name of modules) {
    const [source, served] = [await readFile(`static/${name}`, 'utf8'), text(assets.get(name)?.body)]
    expect(served).not.toMatch(/\/\*\*|^ *\/\//m)
    expect(await codeOf(served), name).toBe(await codeOf(source))
  }
})

it('no module is over 250 lines', async () => {
  const texts = await Promise.all(modules.map(name => readFile(`static/${name}`, 'utf8')))
  const lengths = texts.map((text, at) => [modules[at], text.trimEnd().split('\n').length] as const)
  expect(lengths.filter(([, lines]) => lines > 250)).toEqual([])
})

const text = (body?: Uint8Array): string => new TextDecoder().decode(body)
const codeOf = async (source: string): Promise<string> => (await transform(source, { minifyWhitespace: true })).code
const importedFrom = (name: string): string[] => [name, ...importedBy(assets, [name])]
