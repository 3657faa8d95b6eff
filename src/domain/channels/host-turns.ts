/** Limits how much runs at one host at the same time, in this process. */

export type HostTurns = <T>(host: string, work: () => Promise<T>) => Promise<T | undefined>

/** `undefined`: `most` run at the host already, so the work was not started. It does not wait: a slow host must not block others. */
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
