/** At most so many at once at one host, in this process. */

export type HostTurns = <T>(host: string, work: () => Promise<T>) => Promise<T | undefined>

/** `undefined`: the host has its hands full, and nothing was done. Nobody waits, so that a slow host holds up no other. */
export function hostTurns(most: number): HostTurns {
  const running = new Map<string, number>()
  return async (host, work) => {
    const count = running.get(host) ?? 0
    if (count >= most) return undefined
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
