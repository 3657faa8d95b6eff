/** So many tasks at a time and no more, in the order they came; and a word to whoever would wait longer than anybody does. */
import { DomainError } from './errors.ts'

export type InTurn = <T>(task: () => Promise<T>) => Promise<T>

/** `crowded`: what is said where `most_waiting` wait already. */
export function turns(most: number, most_waiting: number, crowded: string): InTurn {
  let running = 0
  const waiting: (() => void)[] = []
  return async task => {
    if (waiting.length >= most_waiting) throw new DomainError('too_many', crowded, { retry_after_s: 5 })
    if (running >= most) await new Promise<void>(resolve => waiting.push(resolve))
    else running += 1
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
