/** Measures several ways in turns, so that a busy moment of the machine hits all of them, and takes the medians. */

/** One measurement. Processor time is milliseconds per operation. */
export type Figure = {
  /** In the unit of its row. */
  value: number
  app_ms?: number
  database_ms?: number
  p99_ms?: number
}

export type Figures<Name extends string = string> = { [name in Name]?: Figure }

/** Calls every way once in each of the `rounds`, in an order that turns. Every field is the median of the rounds. */
export async function inTurns(rounds: number, ways: Record<string, () => Promise<Figure>>): Promise<Figures> {
  const measured = Object.entries(ways).map(([name, measure]) => ({ name, measure, figures: [] as Figure[] }))
  for (let round = 0; round < rounds; round++)
    for (const { measure, figures } of round % 2 === 0 ? measured : measured.toReversed()) figures.push(await measure())
  return Object.fromEntries(measured.map(({ name, figures }) => [name, medianFigure(figures)]))
}

function medianFigure(figures: Figure[]): Figure {
  const fields = Object.keys(figures[0] ?? {}) as (keyof Figure)[]
  return Object.fromEntries(fields.map(field => [field, median(figures.map(figure => figure[field] ?? 0))])) as Figure
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
