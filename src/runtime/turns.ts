/**
 * Lets so many works run at once. The others wait for a turn, which goes round from person to person: a hundred works of
 * one delay another's first by one work, not by a hundred.
 */
import { DomainError } from '../errors.ts'

export type TurnLimits = {
  /** At once, of all together. */
  most: number
  /** At once, of one person; not given: `most`. */
  of_one?: number
  /**
   * How many may wait; not given: any number. Past `of_one` a person's work is refused with `sentence`; past `most` the
   * last work of the person who has the most waiting is, so that no few people can keep the others out.
   */
  waiting?: { most: number; of_one: number; sentence: string }
}

/**
 * `whose`: any name of the person, or what stands for one. Throws `too_many` where too many wait already, and the
 * signal's reason when it is aborted while the work still waits.
 */
export type InTurn = <T>(whose: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

type Turn = { call(): void; refuse(refusal: Error): void }
type Line = { running: number; waiting: Turn[] }

export function turnsFor({ most, of_one = most, waiting }: TurnLimits): InTurn {
  // In the order of their turns: a person whose work begins or ends goes to the end.
  const lines = new Map<string, Line>()
  let running = 0

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
    if (waiting) makeRoom(line, waiting)
    lines.set(whose, line)
    await turnIn(line.waiting, signal)
  }

  const makeRoom = (line: Line, { most, of_one, sentence }: Required<TurnLimits>['waiting']) => {
    const refusal = new DomainError('too_many', sentence, { retry_after_s: 5 })
    if (line.waiting.length >= of_one) throw refusal
    const all = [...lines.values()]
    if (all.reduce((sum, { waiting }) => sum + waiting.length, 0) < most) return
    const longest = all.reduce((one, other) => (other.waiting.length > one.waiting.length ? other : one), line)
    if (longest.waiting.length <= line.waiting.length + 1) throw refusal
    longest.waiting.pop()?.refuse(refusal)
  }

  const end = (whose: string) => {
    running -= 1
    const ended = lines.get(whose)
    if (ended) ended.running -= 1
    if (ended) toTheEnd(whose, ended)
    for (const [next, line] of lines) {
      const turn = line.running < of_one ? line.waiting.shift() : undefined
      if (!turn) continue
      // Counted here, so that nothing gets in between.
      start(next, line)
      return turn.call()
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
function turnIn(queue: Turn[], signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      signal?.removeEventListener('abort', leave)
      settle()
    }
    const turn = { call: () => end(resolve), refuse: (refusal: Error) => end(() => reject(refusal)) }
    const leave = () => {
      queue.splice(queue.indexOf(turn), 1)
      reject(signal?.reason)
    }
    queue.push(turn)
    signal?.addEventListener('abort', leave, { once: true })
  })
}
