/** Checks a claim with generated inputs. They are the same in every run, so a green commit stays green; `npm run fuzz` takes new ones. */
import { env } from 'node:process'
import fc from 'fast-check'

/** `SEED` repeats a run. */
export const seed = Number(env.SEED ?? 1)

/** `shrinks: false` for claims about several processes at once, where a smaller input does not fail the same way. */
export const holds = <T>(property: fc.IRawProperty<T>, { runs = 100, shrinks = true } = {}) =>
  fc.assert(property, { seed, numRuns: runs, endOnFailure: !shrinks || env.SHRINK === '0' })
