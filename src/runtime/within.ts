/** Bounds how long callers wait, and how often they ask: for answers that must come while what is asked does not answer. */

/** Rejects when `doing` takes longer. `doing` itself goes on. */
export async function within<T>(ms: number, doing: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${ms} ms`)), ms)
  try {
    return await Promise.race([doing, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Lets callers share one answer for `kept_ms`, and for twenty times as long as it took to make, so that asking takes a twentieth of the time
 * at most. Callers also share an answer that is still being made. A failure is not kept.
 */
export function shared<T>(make: () => Promise<T>, kept_ms: number, now = () => performance.now()): () => Promise<T> {
  let answer: Promise<T> | undefined
  let until = 0
  return () => {
    if (answer && now() < until) return answer
    const began = now()
    const making = make()
    answer = making
    until = Number.POSITIVE_INFINITY
    making.then(
      () => {
        until = now() + Math.max(kept_ms, 20 * (now() - began))
      },
      () => {
        answer = undefined
      },
    )
    return making
  }
}
