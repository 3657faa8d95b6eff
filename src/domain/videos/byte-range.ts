/** Which bytes a `Range` header means. Pure; RFC 9110, section 14. */

/** Both ends inclusive, as in `Content-Range`. */
export type Slice = { first: number; last: number }

/**
 * A slice of a file of `size` bytes; `undefined`: the whole file (no header, several ranges, or not a byte range);
 * `unsatisfiable`: nothing of it exists.
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

/** `If-Range` holds only for the very same file: the strong tag, or the exact date. */
export const sameFile = (if_range: string | undefined, etag: string, modified_at: Date): boolean =>
  if_range === undefined ||
  if_range === etag ||
  Date.parse(if_range) === Math.floor(modified_at.getTime() / 1000) * 1000
