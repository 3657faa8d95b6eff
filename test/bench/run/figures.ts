/** Measures several ways in turns, so that a busy moment of the machine hits all of them, and takes the medians. */

/** One measurement. Processor time is milliseconds per operation. */
export type Figure = {
  /** In the unit of its row. */
  value: number
  app_ms?: number
  database_ms?: number
  p99_ms?: number
}

type Ways<Name extends string> = { [name in Name]?: () => Promise<Figure> }
export type Figures<Name extends string = string> = { [name in Name]?: Figure }

/** Calls every way once in each of the `rounds`, in an order that turns. Every field is the median of the rounds. */
export async function inTurns<Name extends string>(rounds: number, ways: Ways<Name>): Promise<Figures<Name>> {
  const named = Object.entries(ways) as [Name, (() => Promise<Figure>) | undefined][]
  const measured = new Map<Name, Figure[]>(named.map(([name]) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of round % 2 === 0 ? named : named.toReversed())
      if (measure) measured.get(name)?.push(await measure())
  }
  const medians = [...measured].filter(([, figures]) => figures.length > 0)
  return Object.fromEntries(medians.map(([name, figures]) => [name, medianFigure(figures)])) as Figures<Name>
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
