/** Remembers the results of a function that always gives the same for the same text, such as parsing an address. */

/** Longer texts come from no usual client, and are computed each time. */
const longest = 256

/** Keeps at most `most` results; then it starts again with none. */
export function memoized<Result>(compute: (text: string) => Result, most = 1000): (text: string) => Result {
  const known = new Map<string, Result>()
  return text => {
    const found = known.get(text)
    if (found !== undefined) return found
    const result = compute(text)
    if (text.length > longest) return result
    if (known.size >= most) known.clear()
    known.set(text, result)
    return result
  }
}
