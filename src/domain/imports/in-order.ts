/** Works through a stream of items: several at once, or in batches. */

/** Calls `work` for at most `most` items at once, and yields the results in the order of the items. */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  most: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = []
  try {
    for await (const item of items) {
      const begun = work(item)
      // It is awaited below. Until then, its fault must not end the process.
      begun.catch(() => {})
      running.push(begun)
      const [first] = running
      if (first && running.length >= most) {
        running.shift()
        yield await first
      }
    }
    for (const begun of running.splice(0)) yield await begun
  } finally {
    await Promise.allSettled(running)
  }
}

export async function* inBatches<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  let batch: Item[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
