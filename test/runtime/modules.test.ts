/** What a second start loads, in real processes. */
import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { run } from '../support/process/processes.ts'

/** Loads the whole app, as a start does, and prints which packages it loaded to compile files. */
const loading = `
  import { createRequire } from 'node:module'
  import { keepCompiled } from './src/runtime/modules.ts'
  await import('./src/roles.ts')
  const loaded = Object.keys(createRequire(import.meta.url).cache).filter(path => /esbuild|typescript/.test(path))
  console.log(JSON.stringify(loaded))
  keepCompiled()
`
const load = () => run(['node_modules/.bin/node', '--input-type=module', '--eval', loading])

it('the second start loads no compiler', async () => {
  await load()
  expect(await load()).toEqual({ code: 0, said: '[]\n' })
  expect(await readdir('node_modules/.backlot')).toEqual(['jsx', 'node'])
})
