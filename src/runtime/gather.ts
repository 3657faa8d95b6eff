/** Gathers single items for a short time, so that one call, such as one statement, serves many of them. */

export type GatherLimits = {
  /** Items of one call; read again for each item. */
  most(): number
  /** How long the first item of a call waits for others. */
  wait_ms: number
}

/**
 * `work` answers its items in their order. When it fails for several items, each is tried once alone, so that a bad item does not
 * fail the others.
 */
export function gathered<Item, Answer>(
  { most, wait_ms }: GatherLimits,
  work: (items: Item[]) => Promise<Answer[]>,
): (item: Item) => Promise<Answer> {
  type Waiter = { item: Item; resolve(answer: Answer): void; reject(fault: unknown): void }
  let waiting: Waiter[] = []
  let timer: NodeJS.Timeout | undefined

  const answer = async (those: Waiter[]) => {
    const answers = await work(those.map(({ item }) => item))
    for (const [at, { resolve }] of those.entries()) resolve(answers[at] as Answer)
  }
  const flush = () => {
    clearTimeout(timer)
    const those = waiting
    waiting = []
    answer(those).catch((fault: unknown) => {
      if (those.length === 1) those[0]?.reject(fault)
      else for (const one of those) answer([one]).catch(one.reject)
    })
  }
  return item =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (waiting.length >= most()) flush()
      else if (waiting.length === 1) timer = setTimeout(flush, wait_ms)
    })
}
