/** What a row works with, and what it returns. */
import type { Databases } from './database.ts'
import type { Figure, Figures } from './figures.ts'
import { inTurns } from './figures.ts'
import { openSide, type Side, type SideName } from './side.ts'

export type Bench = {
  databases: Databases
  /** A folder that is deleted at the end. */
  folder: string
  /** Small amounts, so that every row runs in seconds. The figures then mean nothing. */
  quick: boolean
  rounds: number
  /** The checkouts: `now`, and `before` if one was named. */
  checkouts: { before?: string; now: string }
  /** Prints a line at once. */
  say(line: string): void
}

export type Line = {
  what: string
  /** Of the values of its figures. `less`: a smaller value is better. */
  unit: '/s' | 'ms' | 's' | 'MB' | 'GB/s' | 'CPU s' | '×'
  less?: true
  /** What the row should reach. */
  reach: string
  figures: Figures<SideName>
  /** The other way that it is compared with. */
  bound?: Figure & { name: string }
}

/** Calls `work` with a side of every checkout. */
export async function onSides<T>(bench: Bench, work: (side: Side) => Promise<T>): Promise<{ [name in SideName]?: T }> {
  const done: { [name in SideName]?: T } = {}
  for (const name of ['before', 'now'] as const) {
    const checkout = bench.checkouts[name]
    if (checkout) done[name] = await work(await openSide(name, checkout, bench.databases, bench.folder))
  }
  return done
}

/** Measures the same on all sides in turns, and in turn with them the bound. A first round, which compiles the code, does not count. */
export async function compare<T>(
  bench: Bench,
  sides: { [name in SideName]?: T },
  measure: (side: T) => Promise<Figure>,
  bound?: { name: string; measure(): Promise<Figure> },
): Promise<Pick<Line, 'figures' | 'bound'>> {
  const { before, now } = sides
  const ways = {
    ...(before && { before: () => measure(before) }),
    ...(now && { now: () => measure(now) }),
    ...(bound && { bound: () => bound.measure() }),
  } as Record<SideName | 'bound', () => Promise<Figure>>
  if (!bench.quick) await inTurns(1, ways)
  const measured = await inTurns(bench.rounds, ways)
  const { bound: of_bound, ...figures } = measured
  return { figures, ...(bound && of_bound && { bound: { name: bound.name, ...of_bound } }) }
}
