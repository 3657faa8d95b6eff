/** Applies the items of a part so that those which the database refuses are left out and counted, and all others are kept. */
import type { ImportContent } from '../../schema/imports/import.ts'
import { mayPass, type Transaction } from '../postgres/client.ts'

/** What a part changed. `viewings_added`: how much of the room for viewings it took. */
export type PartCounts = Partial<Omit<ImportContent, 'items' | 'done'>> & { viewings_added?: number }
type Outcome = { counts: PartCounts; refusals: unknown[] }

/**
 * Applies the items together, and if they are refused, each half of them again. `before`: what the halves before have changed. Throws
 * what may pass later, such as a database that is away.
 */
export async function withoutRefused<Item>(
  tx: Transaction,
  items: Item[],
  apply: (step: Transaction, items: Item[], before: PartCounts) => Promise<PartCounts>,
): Promise<Outcome> {
  const outcome: Outcome = { counts: {}, refusals: [] }
  const applyOrHalve = async (some: Item[]): Promise<void> => {
    try {
      const changed = await tx.savepoint(step => apply(step, some, outcome.counts))
      outcome.counts = sumOf(outcome.counts, changed)
    } catch (fault) {
      if (mayPass(fault)) throw fault
      if (some.length > 1) {
        const middle = Math.ceil(some.length / 2)
        await applyOrHalve(some.slice(0, middle))
        await applyOrHalve(some.slice(middle))
      } else {
        outcome.counts = sumOf(outcome.counts, { failed: some.length })
        outcome.refusals.push(fault)
      }
    }
  }
  await applyOrHalve(items)
  return outcome
}

export function sumOf<Counts extends Record<string, number>>(a: Partial<Counts>, b: Partial<Counts>): Partial<Counts> {
  const names = Object.keys({ ...a, ...b })
  return Object.fromEntries(names.map(name => [name, (a[name] ?? 0) + (b[name] ?? 0)])) as Partial<Counts>
}
