/** The documents that people read, for the tests that compare them with the code. */
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The paths of the guides for people who run Backlot. */
export const guides = readdirSync('docs')
  .filter(name => name.endsWith('.md'))
  .toSorted()
  .map(name => join('docs', name))

/** The blocks of code in the guides that are marked with this language. */
export async function blocksOf(language: string): Promise<string[]> {
  const texts = await Promise.all(guides.map(path => readFile(path, 'utf8')))
  return [...texts.join('\n').matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(
    ([, block = '']) => block,
  )
}

/** The text below a heading of the second level, until the next one. */
export const sectionOf = (document: string, heading: string): string =>
  sectionsOf(document).find(section => section.startsWith(`${heading}\n`)) ?? ''

const sectionsOf = (document: string): string[] => document.split(/^## /m).slice(1)

/** The cells of the rows of all tables, without the lines between the head and the rows. */
export const rowsOf = (document: string): string[][] =>
  [...document.matchAll(/^\| (.*) \|$/gm)]
    .map(([, row = '']) => row.split(' | ').map(cell => cell.trim()))
    .filter(([first = '']) => !/^-+$/.test(first))

/** The releases in the text of a changelog, the newest first; `changes`: the text of the section. */
export const releasesIn = (changelog: string): { version: string; changes: string }[] =>
  sectionsOf(changelog).flatMap(section => {
    const [, version, changes = ''] = /^(\S+) – \d{4}-\d\d-\d\d\n(.*)$/s.exec(section) ?? []
    return version === undefined ? [] : [{ version, changes: changes.trim() }]
  })
