/** What a row works with, and what it returns. */
import type { Databases } from './database.ts'
import { type Figure, type Figures, inTurns } from './figures.ts'
import { openSide, type Side, type SideName } from './side.ts'

export type Bench = {
  databases: Databases
  /** A folder that is deleted at the end. */
  folder: string
  /** Small amounts, so that every row runs in seconds. The figures then mean nothing. */
  quick: boolean
  rounds: number
  /** Rounds before that do not count: they compile the code and fill caches. */
  first_rounds: number
  /** The checkouts: `now`, and `before` if one was named. */
  checkouts: { before?: string; now: string }
  /** Prints a line at once. */
  say(line: string): void
}

/** For what takes seconds. */
export const fewRounds = (bench: Bench): Bench => ({ ...bench, rounds: Math.min(3, bench.rounds) })

export type Line = {
  what: string
  /** Of the values of its figures. `less`: a smaller value is better. */
  unit: '/s' | 'ms' | 's' | 'MB' | 'kB' | 'GB/s' | '%'
  less?: true
  /** What the row should reach, where a person would notice that it does not. */
  reach?: string
  figures: Figures<SideName>
  /** Other ways to do the same, by their names. */
  bounds?: Figures
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

/** Measures the same on all sides in turns, and in turn with them the bounds. */
export async function compare<T>(
  bench: Bench,
  sides: { [name in SideName]?: T },
  measure: (side: T) => Promise<Figure>,
  bounds: Record<string, (() => Promise<Figure>) | false | undefined> = {},
): Promise<Pick<Line, 'figures' | 'bounds'>> {
  const { before, now } = sides
  const ways = {
    ...(before && { before: () => measure(before) }),
    ...(now && { now: () => measure(now) }),
    ...Object.fromEntries(Object.entries(bounds).flatMap(([name, way]) => (way ? [[name, way]] : []))),
  }
  await inTurns(bench.first_rounds, ways)
  const measured = await inTurns(bench.rounds, ways)
  const { before: figure_before, now: figure_now, ...of_bounds } = measured
  return {
    figures: { ...(figure_before && { before: figure_before }), ...(figure_now && { now: figure_now }) },
    bounds: of_bounds,
  }
}
