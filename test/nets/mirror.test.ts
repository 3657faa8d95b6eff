/**
 * Checks that a file is found by its name: the name of a source says which one it is, and `src/a/b.ts` is tested in `test/a/b.test.ts` or
 * `test/a/b.<aspect>.test.ts`.
 */
import { readdir } from 'node:fs/promises'
import { basename, dirname, extname } from 'node:path'
import { expect, it } from 'vitest'
import { sourcesIn } from './source.ts'

/** Folders of tests about the whole service, and of the code that tests share. */
const about_the_whole = [
  'bench',
  'browser',
  'corpus',
  'e2e',
  'fixtures',
  'fuzz',
  'image',
  'nets',
  'release',
  'security',
  'support',
]

const sources = (await sourcesIn('src', 'jobs')).map(({ path }) => path.replace(/^src\/|\.tsx?$/g, ''))

it('every test in a mirrored folder is named after the source file it tests', async () => {
  const files = await sourcesIn('test')
  const mirrored = files
    .map(({ path }) => path.replace(/^test\//, ''))
    .filter(path => !about_the_whole.includes(path.split('/')[0] ?? ''))
  const without_source = mirrored.filter(path => !sources.includes(path.replace(/(\.[a-z-]+)?\.test\.tsx?$/, '')))
  expect(without_source).toEqual([])
})

/** The names that several sources have, each with the paths of these sources. */
const named = Map.groupBy(await sourcesIn('src', 'jobs'), ({ path }) => basename(path, extname(path)))

it('no two sources have names that differ only in their ending', () => {
  const differing = [...named.values()].filter(files => new Set(files.map(({ path }) => extname(path))).size > 1)
  expect(differing.flat().map(({ path }) => path)).toEqual([])
})

it('no two sources of one floor have the same name, but for a room and what it asks over all people', () => {
  const same = [...named.values()].flatMap(files => {
    const floors = Map.groupBy(
      files.filter(({ path }) => !path.includes('/everyone/')),
      ({ path }) => path.split('/').slice(0, 2).join('/'),
    )
    return [...floors.values()].filter(({ length }) => length > 1)
  })
  expect(same.flat().map(({ path }) => path)).toEqual([])
})

it('every folder of tests mirrors one of sources, or is about the whole service', async () => {
  const folders = (await readdir('test', { withFileTypes: true })).filter(entry => entry.isDirectory())
  const rooms = new Set(sources.map(path => dirname(path).split('/')[0]))
  const unknown = folders.map(({ name }) => name).filter(name => !about_the_whole.includes(name) && !rooms.has(name))
  expect(unknown).toEqual([])
})
