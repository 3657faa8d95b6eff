/** Limits how much work at one host runs at the same time in this process. Further work is refused, or waits for its turn. */
import { type InTurn, turnsFor } from '../../runtime/turns.ts'

type HostTurns = <T>(host: string, work: () => Promise<T>) => Promise<T | 'busy'>

/**
 * Returns `busy` without starting the work when `max` pieces of work already run at the host. Waiting would let a slow host block
 * other hosts.
 */
export function hostTurns(max: number): HostTurns {
  const running = new Map<string, number>()
  return async (host, work) => {
    const count = running.get(host) ?? 0
    if (count >= max) return 'busy'
    running.set(host, count + 1)
    try {
      return await work()
    } finally {
      const left = (running.get(host) ?? 1) - 1
      if (left > 0) running.set(host, left)
      else running.delete(host)
    }
  }
}

/** `whose`: the person; people take turns at a host. */
type HostQueues = <T>(host: string, whose: string, work: () => Promise<T>) => Promise<T>

/** Work waits while `max` pieces of work already run at its host. */
export function hostQueues(max: number): HostQueues {
  const queues = new Map<string, { inTurn: InTurn; users: number }>()
  return async (host, whose, work) => {
    const queue = queues.get(host) ?? { inTurn: turnsFor({ most: max }), users: 0 }
    queues.set(host, queue)
    queue.users += 1
    try {
      return await queue.inTurn(whose, work)
    } finally {
      queue.users -= 1
      if (queue.users === 0) queues.delete(host)
    }
  }
}
