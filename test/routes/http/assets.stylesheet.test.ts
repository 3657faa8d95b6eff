/** The sheets of `static/css` and the stylesheet that they are joined into. */
import { readdir, readFile } from 'node:fs/promises'
import { beforeAll, expect, it } from 'vitest'
import { loadAssets, rooms, shorten } from '../../../src/routes/http/assets.ts'

let sheets: { path: string; css: string }[]
beforeAll(async () => {
  sheets = await read('static/css')
})

it('the served stylesheet contains every sheet exactly once', async () => {
  const served = new TextDecoder().decode((await loadAssets()).get('backlot.css')?.body)
  expect(sheets.length).toBeGreaterThan(20)
  expect(sheets.filter(({ css }) => served.split(shorten(css)).length !== 2).map(({ path }) => path)).toEqual([])
})

it('every folder of sheets is one of the rooms, which are in the order of the README', async () => {
  expect((await readdir('static/css')).sort()).toEqual([...rooms].sort())
  const order = (await readFile('README.md', 'utf8')).match(/^ {4}([a-z]+(?: → [a-z]+)+)$/m)?.[1]?.split(' → ') ?? []
  expect(['ui', ...order.filter(room => (rooms as readonly string[]).includes(room))]).toEqual([...rooms])
})

it('every rule of a sheet is in a cascade layer', () => {
  const outside = sheets.filter(({ css }) =>
    /^(?!@layer (base|parts|pages|hiding) \{$|\}$)\S/m.test(css.replace(/\/\*[\s\S]*?\*\//g, '')),
  )
  expect(outside.map(({ path }) => path)).toEqual([])
})

it('every class of a sheet is used by a view or a script', async () => {
  const users = [...(await read('src/views')), ...(await read('static'))].filter(({ path }) => !path.endsWith('.css'))
  const words = new Set(users.flatMap(({ css }) => css.match(/[\w-]+/g) ?? []))
  const classes = sheets.flatMap(({ css }) => shorten(css).match(/(?<=\.)[a-z][\w-]*/g) ?? [])
  // The view of a channel's picture computes which of these it is.
  const unused = classes.filter(name => !words.has(name) && !/^hue-[0-5]$/.test(name))
  expect(unused).toEqual([])
})

async function read(folder: string): Promise<{ path: string; css: string }[]> {
  const names = (await readdir(folder, { recursive: true })).filter(name => /\.(css|js|tsx?)$/.test(name)).sort()
  return Promise.all(
    names.map(async name => ({ path: `${folder}/${name}`, css: await readFile(`${folder}/${name}`, 'utf8') })),
  )
}
