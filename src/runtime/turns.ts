/**
 * Limits how much work runs at once. Waiting work gets its turn person by person, so that a hundred requests of one person
 * delay another person's first request by one, not by a hundred.
 */
import { DomainError } from '../errors.ts'

export type TurnLimits = {
  /** The most runs at once, of all people together. */
  most: number
  /** The most runs at once, of one person; `most` unless given. */
  of_one?: number
  /**
   * How much may wait; any amount unless given. Above `of_one`, a person's work is refused with `sentence`. Above `most`, the
   * last work of the person with the most waiting is refused, so that a few people cannot keep out the others.
   */
  waiting?: { most: number; of_one: number; sentence: string }
}

/**
 * `whose`: any name for the person, such as an address. Throws `too_many` when too much waits already, and the signal's
 * reason when it is aborted while the work still waits.
 */
export type InTurn = <T>(whose: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

type Turn = { call(): void; refuse(refusal: Error): void }
type PersonQueue = { running: number; waiting: Turn[] }

export function turnsFor({ most, of_one = most, waiting }: TurnLimits): InTurn {
  // In the order of turns: a person whose work starts or ends moves to the end.
  const queues = new Map<string, PersonQueue>()
  let running = 0

  const toTheEnd = (whose: string, queue: PersonQueue) => {
    queues.delete(whose)
    if (queue.running > 0 || queue.waiting.length > 0) queues.set(whose, queue)
  }
  const start = (whose: string, queue: PersonQueue) => {
    running += 1
    queue.running += 1
    toTheEnd(whose, queue)
  }

  const begin = async (whose: string, signal?: AbortSignal) => {
    const queue = queues.get(whose) ?? { running: 0, waiting: [] }
    if (running < most && queue.running < of_one) return start(whose, queue)
    if (waiting) makeRoom(queue, waiting)
    queues.set(whose, queue)
    await turnIn(queue.waiting, signal)
  }

  const makeRoom = (queue: PersonQueue, { most, of_one, sentence }: Required<TurnLimits>['waiting']) => {
    // Made only when it is needed, because an error takes long to make.
    const refusal = () => new DomainError('too_many', sentence, { retry_after_s: 5 })
    if (queue.waiting.length >= of_one) throw refusal()
    const all = [...queues.values()]
    if (all.reduce((sum, { waiting }) => sum + waiting.length, 0) < most) return
    const longest = all.reduce((one, other) => (other.waiting.length > one.waiting.length ? other : one), queue)
    if (longest.waiting.length <= queue.waiting.length + 1) throw refusal()
    longest.waiting.pop()?.refuse(refusal())
  }

  const end = (whose: string) => {
    running -= 1
    const ended = queues.get(whose)
    if (ended) ended.running -= 1
    if (ended) toTheEnd(whose, ended)
    for (const [next, queue] of queues) {
      const turn = queue.running < of_one ? queue.waiting.shift() : undefined
      if (!turn) continue
      // Counted before the call, so that no other work can start in between.
      start(next, queue)
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

/** Resolves when its turn comes; leaves the queue when the signal is aborted first. */
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

/** Settles like `awaited`, or rejects with the signal's reason as soon as the signal is aborted; the awaited work then ends on its own. */
export function unlessAborted<T>(awaited: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  return Promise.race([awaited, aborted.promise]).finally(() => signal.removeEventListener('abort', onAbort))
}
