/** Reads the tables of SCALING.md. */
import { readFile } from 'node:fs/promises'

/** The rows of the first table of this section, or of the one whose last column has this head, as cells. */
export async function rowsOf(section: string, last_head?: string): Promise<string[][]> {
  const text = await readFile('src/SCALING.md', 'utf8')
  const [own = ''] = (text.split(`\n### ${section}\n`)[1] ?? '').split('\n### ')
  const tables = (own.match(/(?:^\|.*\n)+/gm) ?? []).map(table => table.trim().split('\n').map(cellsIn))
  const found = tables.find(([head]) => last_head === undefined || head?.at(-1) === last_head)
  if (!found) throw new Error(`SCALING.md has no such table under “${section}”.`)
  return found.slice(2)
}

const cellsIn = (row: string) =>
  row
    .split('|')
    .slice(1, -1)
    .map(cell => cell.trim())

/** The names in backticks. */
export const namesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
