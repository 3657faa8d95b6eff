/** Lets so many works run at once; the others wait, each in its order. */
import { DomainError } from './errors.ts'

/** Where so many wait already, the next is told to come again. */
export type Crowd = { most_waiting: number; sentence: string }

export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

export function turnsFor(most: number, crowd?: Crowd): InTurn {
  const waiting: (() => void)[] = []
  let running = 0

  const begin = async () => {
    if (crowd && waiting.length >= crowd.most_waiting)
      throw new DomainError('too_many', crowd.sentence, { retry_after_s: 5 })
    if (running < most) running += 1
    else await new Promise<void>(next => waiting.push(next))
  }
  const end = () => {
    const next = waiting.shift()
    // The turn goes straight to the next, so that nobody steps in between.
    if (next) next()
    else running -= 1
  }

  return async work => {
    await begin()
    try {
      return await work()
    } finally {
      end()
    }
  }
}
