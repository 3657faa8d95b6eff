/** Remembers the results of a function that always gives the same for the same text, such as parsing an address. */

/** Longer texts come from no usual client, and are computed each time. */
const longest = 256

/** Keeps at most `most` results; then it starts again with none. */
export function memoized<Result>(compute: (text: string) => Result, most = 1000): (text: string) => Result {
  const known = new Map<string, Result>()
  return text => {
    const found = known.get(text)
    if (found !== undefined) return found
    if (text.length > longest) return compute(text)
    const copy = copyOf(text)
    const result = compute(copy)
    if (known.size >= most) known.clear()
    known.set(copy, result)
    return result
  }
}

/** A piece of a text, such as one address of a header, keeps the whole text in memory. A copy does not. */
const copyOf = (text: string) => Buffer.from(text, 'utf16le').toString('utf16le')
