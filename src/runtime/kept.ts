/** Keeps values by their keys, up to a number of characters; the oldest are dropped first. */

/** `most`: characters of all keys and values together. */
export function keptWithin<Value>(most: number) {
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
        if (characters <= most) return
        drop(oldest)
      }
    },
  }
}
