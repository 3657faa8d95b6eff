/** Compiled files with JSX: when kept code is used, and when it is made again. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { jsxReader } from '../../src/runtime/jsx.ts'
import { newFolder } from '../support/run/new-folder.ts'

let root: string
let file: string
let compiled: string[]
beforeEach(async () => {
  root = newFolder()
  await mkdir(join(root, 'kept'))
  await mkdir(join(root, 'views'))
  file = join(root, 'views/page.tsx')
  await writeFile(file, '<p/>')
  compiled = []
})

/** A process of its own: it only shares the folder with the others. */
const reader = (version = '1', folder: string | undefined = join(root, 'kept')) =>
  jsxReader(root, folder, {
    compile(text) {
      compiled.push(text)
      return `made('${text}')\n`
    },
    version,
  })

it('the second start compiles nothing', () => {
  expect([reader()(file), reader()(file)]).toEqual(["made('<p/>')\n", "made('<p/>')\n"])
  expect(compiled).toEqual(['<p/>'])
})

it('a file that changed is compiled again, and replaces its kept code', async () => {
  reader()(file)
  await writeFile(file, '<i/>')
  expect(reader()(file)).toBe("made('<i/>')\n")
  expect(reader()(file)).toBe("made('<i/>')\n")
  expect(compiled).toEqual(['<p/>', '<i/>'])
  expect(await readdir(join(root, 'kept'))).toEqual(['views-page.tsx.js'])
})

it('another compiler compiles again', () => {
  reader('1')(file)
  reader('2')(file)
  expect(compiled).toHaveLength(2)
})

it.each([
  ['is empty', () => ''],
  ['ends early', (text: string) => text.slice(0, -3)],
  ['has other code', (text: string) => text.replace('made', 'stolen')],
  ['has no digest', (text: string) => text.slice(text.indexOf('\n') + 1)],
])('kept code that %s is made again', async (_, damage) => {
  const kept = join(root, 'kept/views-page.tsx.js')
  reader()(file)
  await writeFile(kept, damage(await readFile(kept, 'utf8')))
  expect(reader()(file)).toBe("made('<p/>')\n")
  expect(compiled).toHaveLength(2)
  reader()(file)
  expect(compiled).toHaveLength(2)
})

it('code is compiled at each start when no folder can be written to', () => {
  for (const folder of [undefined, join(root, 'nowhere')]) {
    const read = jsxReader(root, folder, { compile: text => text.toUpperCase(), version: '1' })
    expect(read(file)).toBe('<P/>')
  }
})
