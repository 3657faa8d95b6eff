/** Reads JSON from outside, and writes it: for Postgres, and of long lists piece by piece. */

/** `undefined`: the text is no JSON. */
export function jsonIn(text: string, revive?: (name: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, revive)
  } catch {
    return undefined
  }
}

/** Postgres refuses half a surrogate pair, which any text from outside may contain, so half a pair becomes U+FFFD. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value)
  // Only half a pair is escaped like this, or text that looks like it. A replacer would make every other call slower.
  return text.includes('\\ud') ? JSON.stringify(value, wellFormed) : text
}

const wellFormed = (_: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)

type Sized = { title: string; description: string | null }

/** Characters of text and entries in a piece; the first limit that is reached ends it. An entry is never divided. */
const max_characters = 200_000
const max_entries = 200

/** Divides a long list of entries into pieces that can be copied or serialised within a few milliseconds each. */
export function piecesOf<T extends Sized>(entries: T[]): T[][] {
  const pieces: T[][] = []
  let characters = Number.POSITIVE_INFINITY
  for (const entry of entries) {
    const size = entry.title.length + (entry.description?.length ?? 0)
    const piece = pieces.at(-1)
    if (piece && piece.length < max_entries && characters + size <= max_characters) {
      piece.push(entry)
      characters += size
    } else {
      pieces.push([entry])
      characters = size
    }
  }
  return pieces
}

/** Lets other waiting work run first. */
const pause = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** The JSON of a list, made piece by piece with pauses in between. */
export async function jsonOf<T extends Sized>(entries: T[], asRow: (entry: T) => unknown = entry => entry) {
  const parts: string[] = []
  for (const piece of piecesOf(entries)) {
    if (parts.length > 0) await pause()
    parts.push(jsonText(piece.map(asRow)).slice(1, -1))
  }
  return `[${parts.join(',')}]`
}
