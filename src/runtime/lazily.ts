/** Loads code when it is first needed, because most starts never need it. */

/** Loads once. After a load that failed, for example because too many files were open, the next caller loads again. */
export function loadedOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined
  return () => {
    loaded ??= load().catch((fault: unknown) => {
      loaded = undefined
      throw fault
    })
    return loaded
  }
}

/** A function that `load` imports at the first call. */
export function lazily<Args extends unknown[], Result>(
  load: () => Promise<(...args: Args) => Promise<Result>>,
): (...args: Args) => Promise<Result> {
  const loaded = loadedOnce(load)
  return async (...args) => (await loaded())(...args)
}
