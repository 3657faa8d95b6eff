/** Bounds how long callers wait, and how often they ask: for answers that must come while what is asked does not answer. */

export class Late extends Error {
  override name = 'Late'
}

/** Rejects with `Late` when `doing` takes longer. `doing` itself goes on. */
export async function within<T>(ms: number, doing: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Late(`no answer within ${ms} ms`)), ms)
  try {
    return await Promise.race([doing, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Whether the work succeeds. Never rejects. */
export const succeeds = (doing: Promise<unknown>): Promise<boolean> =>
  doing.then(
    () => true,
    () => false,
  )

/** Callers share an answer that is still being made. */
export function joined<T>(make: () => Promise<T>): () => Promise<T> {
  let making: Promise<T> | undefined
  return () => {
    making ??= make().finally(() => {
      making = undefined
    })
    return making
  }
}

const longest_kept_ms = 60_000

/**
 * Lets callers share one answer for `kept_ms`, and for twenty times as long as it took to make, a minute at most. So a slow question
 * is asked less often. A failure is not kept.
 */
export function shared<T>(make: () => Promise<T>, kept_ms: number, now = () => performance.now()): () => Promise<T> {
  let kept: { answer: T; until: number } | undefined
  const make_one = joined(async () => {
    const began = now()
    const answer = await make()
    kept = { answer, until: now() + Math.max(kept_ms, Math.min(20 * (now() - began), longest_kept_ms)) }
    return answer
  })
  return async () => (kept && now() < kept.until ? kept.answer : make_one())
}
