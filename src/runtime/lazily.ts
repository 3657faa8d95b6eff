/** Loads code when it is first needed, because most starts never need it. */

/** A function that `load` imports at the first call. */
export function lazily<Args extends unknown[], Result>(
  load: () => Promise<(...args: Args) => Promise<Result>>,
): (...args: Args) => Promise<Result> {
  let loaded: ReturnType<typeof load> | undefined
  return async (...args) => {
    loaded ??= load()
    return (await loaded)(...args)
  }
}
