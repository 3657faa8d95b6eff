/** Lets so many works run at once; the others wait, each in its order. */

export function turnsFor(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0

  const begin = async () => {
    if (running < most) running += 1
    else await new Promise<void>(next => waiting.push(next))
  }
  const end = () => {
    const next = waiting.shift()
    // The turn goes straight to the next, so that nobody steps in between.
    if (next) next()
    else running -= 1
  }

  return async work => {
    await begin()
    try {
      return await work()
    } finally {
      end()
    }
  }
}
