/** Prints the rows as a table, for a terminal or in Markdown. */
import type { Line } from './bench.ts'
import type { Figure } from './figures.ts'

export const heads = ['what', 'before', 'now', 'now ÷ before', 'peer or bound', 'now ÷ it', 'reach']

export function tableOf(lines: Line[], markdown: boolean): string {
  const rows = [heads, ...lines.map(cellsOf)]
  // A column that every row leaves empty is not printed.
  const used = heads.map((_, column) => rows.slice(1).some(row => row[column] !== ''))
  const shown = rows.map(row => row.filter((_, column) => used[column]))
  if (markdown)
    return shown.map((row, n) => markdownRow(row) + (n === 0 ? markdownRow(row.map(() => '---')) : '')).join('')
  const widths = shown[0]?.map((_, column) => Math.max(...shown.map(row => row[column]?.length ?? 0))) ?? []
  return shown
    .map(
      row =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

const markdownRow = (cells: string[]) => `| ${cells.join(' | ')} |\n`

function cellsOf({ what, unit, less, reach = '', figures: { before, now }, bounds = {} }: Line): string[] {
  // Memory that was given back is less than nothing, which has no ratio.
  const times = (other: Figure | undefined) =>
    !now || !other || now.value <= 0 ? '' : `${(less ? other.value / now.value : now.value / other.value).toFixed(2)} ×`
  return [
    what,
    textOf(before, unit),
    textOf(now, unit),
    times(before),
    Object.entries(bounds)
      .map(([name, figure]) => `${name}: ${textOf(figure, unit)}`)
      .join('; '),
    Object.values(bounds).map(times).join('; '),
    reach,
  ]
}

function textOf(figure: Figure | undefined, unit: Line['unit']): string {
  if (!figure) return ''
  const { value, app_ms, database_ms, p99_ms } = figure
  const parts = [`${rounded(value)}${unit === '/s' ? '' : ' '}${unit}`]
  if (app_ms !== undefined) parts.push(`${cpu(app_ms)} + ${cpu(database_ms ?? 0)} ms CPU`)
  if (p99_ms !== undefined) parts.push(`p99 ${rounded(p99_ms)} ms`)
  return parts.join(', ')
}

/** The system counts in steps of 10 ms. */
const cpu = (ms: number) => ms.toFixed(ms < 10 ? 2 : 0)

/** Three digits, and no fraction of large numbers. */
const rounded = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(3)).toString()
