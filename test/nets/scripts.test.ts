/** Checks that the scripts of a page, which share one scope, give each name once. */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { scripts_of_every_page, scripts_of_people } from '../../src/views/ui/layout.tsx'
import { player_scripts } from '../../src/views/watching/player.tsx'

const common = [...scripts_of_every_page, ...scripts_of_people].filter(name => name !== 'htmx.js')

it.each([
  ['the watch page', player_scripts],
  ['lists', ['list-keys.js']],
])('no two scripts of %s give the same name', async (_, more) => {
  const texts = await Promise.all([...common, ...more].map(name => readFile(`static/${name}`, 'utf8')))
  const names = texts.flatMap(text =>
    [...text.matchAll(/^(?:async )?(?:const|let|function|class) (?:\{ )?(\w+)/gm)].map(([, name]) => name),
  )
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})
