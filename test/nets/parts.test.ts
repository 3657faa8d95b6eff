/** Checks that each row of "When a part dies" in the operating details is shown by a test, which asserts what the operator is told. */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

const guide = await readFile('src/OPERATIONS.md', 'utf8')
const [, table = ''] = guide.split('## When a part dies')
const rows = table
  .slice(0, table.indexOf('\n## '))
  .split('\n')
  .filter(line => /^\| (?!part |-)/.test(line))
  .map(line => {
    const cells = line.split('|').map(cell => cell.trim())
    const [, file = '', name = ''] = /^`(\S+)`: (.+)$/.exec(cells[5] ?? '') ?? []
    return { part: cells[1] ?? '', file, name }
  })

it('the table has a row for each part that can die', () => {
  expect(rows.length).toBeGreaterThanOrEqual(10)
})

it.each(rows)('a test shows what happens when $part', async ({ file, name }) => {
  const text = await readFile(file, 'utf8')
  expect(text).toContain(name)
  expect(text).toMatch(/\btold\(\)|\bscrape\(/)
})
