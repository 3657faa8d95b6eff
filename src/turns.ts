/**
 * Lets so many works run at once. The others wait for a turn, which goes round from person to person: a hundred works of
 * one delay another's first by one work, not by a hundred.
 */
import { DomainError } from './errors.ts'

export type TurnLimits = {
  /** At once, of all together. */
  most: number
  /** At once, of one person; not given: `most`. */
  of_one?: number
  /** How many may wait; not given: any number. Past it the refusal is `sentence`. */
  waiting?: { most: number; of_one: number; sentence: string }
}

/**
 * `whose`: any name of the person, or what stands for one. Throws `too_many` where too many wait already, and the
 * signal's reason when it is aborted while the work still waits.
 */
export type InTurn = <T>(whose: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

type Line = { running: number; waiting: (() => void)[] }

export function turnsFor({ most, of_one = most, waiting }: TurnLimits): InTurn {
  // In the order of their turns: a person whose work begins or ends goes to the end.
  const lines = new Map<string, Line>()
  let running = 0
  let all_waiting = 0

  const toTheEnd = (whose: string, line: Line) => {
    lines.delete(whose)
    if (line.running > 0 || line.waiting.length > 0) lines.set(whose, line)
  }
  const start = (whose: string, line: Line) => {
    running += 1
    line.running += 1
    toTheEnd(whose, line)
  }

  const begin = async (whose: string, signal?: AbortSignal) => {
    const line = lines.get(whose) ?? { running: 0, waiting: [] }
    if (running < most && line.running < of_one) return start(whose, line)
    if (waiting && (all_waiting >= waiting.most || line.waiting.length >= waiting.of_one))
      throw new DomainError('too_many', waiting.sentence, { retry_after_s: 5 })
    lines.set(whose, line)
    all_waiting += 1
    await turnIn(line.waiting, signal).finally(() => {
      all_waiting -= 1
    })
  }

  const end = (whose: string) => {
    running -= 1
    const ended = lines.get(whose)
    if (ended) ended.running -= 1
    if (ended) toTheEnd(whose, ended)
    for (const [next, line] of lines) {
      const call = line.running < of_one ? line.waiting.shift() : undefined
      if (!call) continue
      // Counted here, so that nothing gets in between.
      start(next, line)
      return call()
    }
  }

  return async (whose, work, signal) => {
    signal?.throwIfAborted()
    await begin(whose, signal)
    try {
      return await work()
    } finally {
      end(whose)
    }
  }
}

/** Resolves when it is called out of the queue; leaves the queue when the signal is aborted first. */
function turnIn(queue: (() => void)[], signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      queue.splice(queue.indexOf(call), 1)
      reject(signal?.reason)
    }
    const call = () => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }
    queue.push(call)
    signal?.addEventListener('abort', leave, { once: true })
  })
}
