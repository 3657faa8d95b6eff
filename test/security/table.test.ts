/** Checks that every test named in test/security/README.md exists. */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

const rows = (await readFile('test/security/README.md', 'utf8'))
  .split('\n')
  .filter(line => /^\| (?!row |-)/.test(line))
  .map(line => line.split('|').map(cell => cell.trim()))
  .map(([, row = '', , file = '', name = '']) => ({ row, file, name }))

it.each(rows)('$row is kept by a test that exists: $name', async ({ file, name }) => {
  expect(await readFile(file, 'utf8')).toContain(name)
})

it('the table leaves no number out', () => {
  const numbers = Object.entries({ F: 12, Y: 12, X: 7, A: 12, T: 8 }).flatMap(([letter, last]) =>
    Array.from({ length: last }, (_, n) => `${letter}${n + 1}`),
  )
  const named = new Set(rows.map(({ row }) => row))
  expect(numbers.filter(number => !named.has(number))).toEqual([])
})
