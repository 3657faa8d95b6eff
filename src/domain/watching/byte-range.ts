/** Reads a `Range` header. Pure; RFC 9110, section 14. */

/** Both ends are inclusive, as in `Content-Range`. */
export type Slice = { first: number; last: number }

/**
 * The requested slice of a file of `size` bytes. `undefined`: send the whole file (no header, several ranges, or not a byte
 * range). `unsatisfiable`: the slice begins after the end of the file.
 */
export function byteRange(header: string | undefined, size: number): Slice | 'unsatisfiable' | undefined {
  const [, from, to] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined

  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 }
  }
  if (to !== '' && BigInt(to) < BigInt(from)) return undefined
  if (Number(from) >= size) return 'unsatisfiable'
  return { first: Number(from), last: to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}

/** `If-Range` matches only the same file: by its strong tag, or its exact date. */
export const sameFile = (if_range: string | undefined, etag: string, modified_at: Date): boolean =>
  if_range === undefined ||
  if_range === etag ||
  Date.parse(if_range) === Math.floor(modified_at.getTime() / 1000) * 1000
