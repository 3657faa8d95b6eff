/** Checks that the test of a source file is easy to find: `src/a/b.ts` is tested in `test/a/b.test.ts` or `test/a/b.<aspect>.test.ts`. */
import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
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

it('every folder of tests mirrors one of sources, or is about the whole service', async () => {
  const folders = (await readdir('test', { withFileTypes: true })).filter(entry => entry.isDirectory())
  const rooms = new Set(sources.map(path => dirname(path).split('/')[0]))
  const unknown = folders.map(({ name }) => name).filter(name => !about_the_whole.includes(name) && !rooms.has(name))
  expect(unknown).toEqual([])
})
