/** Limits how many requests to one host run at the same time in this process. A busy host gives `undefined` instead of a wait. */

export type HostTurns = <T>(host: string, work: () => Promise<T>) => Promise<T | undefined>

/** Returns `undefined` without starting the work when `max` already run. Waiting would let a slow host block other hosts. */
export function hostTurns(max: number): HostTurns {
  const running = new Map<string, number>()
  return async (host, work) => {
    const count = running.get(host) ?? 0
    if (count >= max) return undefined
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
