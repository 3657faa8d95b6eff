/**
 * Buffers for sending files, used again after each piece. At most 8 large ones exist at once, so that stalled readers
 * cannot fill the memory.
 */

/** For a reader whose connection is slow or not known yet. */
export const small_bytes = 64 * 1024
/** For a fast reader: fewer reads and writes are faster. With half of it, a GiB takes 0.41 s of processor time instead of 0.37 s. */
const large_bytes = 1024 * 1024

/** Further fast readers get small buffers. */
const most_large = 8
/** Buffers that are kept for later readers. */
const most_kept = 32
const most_kept_large = 2
let large_in_use = 0
const kept: { small: Buffer<ArrayBuffer>[]; large: Buffer<ArrayBuffer>[] } = { small: [], large: [] }

export const takeSmall = (): Buffer<ArrayBuffer> => kept.small.pop() ?? Buffer.allocUnsafeSlow(small_bytes)

/** A small buffer when all large ones are in use. */
export function takeLarge(): Buffer<ArrayBuffer> {
  if (large_in_use >= most_large) return takeSmall()
  large_in_use += 1
  return kept.large.pop() ?? Buffer.allocUnsafeSlow(large_bytes)
}

export function giveBack(buffer: Buffer<ArrayBuffer>): void {
  const is_large = buffer.length === large_bytes
  if (is_large) large_in_use -= 1
  const same_size = is_large ? kept.large : kept.small
  if (same_size.length < (is_large ? most_kept_large : most_kept)) same_size.push(buffer)
  // Frees the memory now. After a thousand readers leave, the next garbage collection may be far away.
  else buffer.buffer.transfer(0)
}
