/**
 * Caches in memory: values by key, up to a number of characters; the results of a function by its text; and code that is loaded when it is
 * first needed, because most starts never need it.
 */

/** Drops the oldest values first. `max_characters`: of all keys and values together. */
export function boundedCache<Value>(max_characters: number) {
  const kept = new Map<string, { value: Value; length: number }>()
  let characters = 0
  const drop = (key: string) => {
    characters -= kept.get(key)?.length ?? 0
    kept.delete(key)
  }
  return {
    find: (key: string): Value | undefined => kept.get(key)?.value,
    /** `length`: characters of the value. */
    keep(key: string, value: Value, length: number): void {
      drop(key)
      kept.set(key, { value, length: key.length + length })
      characters += key.length + length
      for (const oldest of kept.keys()) {
        if (characters <= max_characters) return
        drop(oldest)
      }
    },
  }
}

/** Longer texts come from no usual client, and are computed each time. */
const max_cached_characters = 256

/**
 * Remembers the results of a function that always gives the same for the same text, such as parsing an address. Keeps at most `most`
 * results, then starts again with none.
 */
export function memoized<Result>(compute: (text: string) => Result, most = 1000): (text: string) => Result {
  const known = new Map<string, Result>()
  return text => {
    const found = known.get(text)
    if (found !== undefined) return found
    if (text.length > max_cached_characters) return compute(text)
    const copy = copyOf(text)
    const result = compute(copy)
    if (known.size >= most) known.clear()
    known.set(copy, result)
    return result
  }
}

/** A piece of a text, such as one address of a header, keeps the whole text in memory. A copy does not. */
const copyOf = (text: string) => Buffer.from(text, 'utf16le').toString('utf16le')

/** Makes a value at the first call, and once. */
export function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/**
 * Loads at the first call, and once. After a load that failed, for example because too many files were open, the next caller loads again.
 */
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
