/** Memory that an idle process gives back, and the flags of Node that this needs. */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { run } from '../support/process/processes.ts'

/** Needs 300 MB for a moment, and waits until most of it is given back. */
const work = `
  import { giveBackWhenIdle } from './src/runtime/give-back.ts'
  giveBackWhenIdle(50)
  let rows = Array.from({ length: 4_000_000 }, (_, n) => ({ n, name: 'row ' + n }))
  const busy = process.memoryUsage.rss()
  rows = undefined
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > busy / 2) return
    clearInterval(watch)
    console.log('given back')
  }, 50)
`

it('a process that has nothing more to do gives its memory back', async () => {
  const ran = await run(['node_modules/.bin/node', '--expose-gc', '--input-type=module', '--eval', work])
  expect(ran).toEqual({ code: 0, said: 'given back\n' })
})

it('every way to start the service lets it give memory back', async () => {
  const { start, web, worker } = manifest.scripts
  for (const script of [start, web, worker]) expect(script).toMatch(/^node --expose-gc .*\bsrc\/main\.ts/)
})

it('an image starts Node with the same flags as npm start', async () => {
  const [, entry = '[]'] = (await readFile('Dockerfile', 'utf8')).match(/^ENTRYPOINT (.*)$/m) ?? []
  const [, , ...command] = JSON.parse(entry)
  expect([...command, 'all'].join(' ')).toBe(manifest.scripts.start)
})
