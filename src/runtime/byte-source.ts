/** Reads the bytes of a stored file, from an open file of this machine or from another server that sends a range of them. */
import type { FileHandle } from 'node:fs/promises'

/** Sends the bytes from `first` to `last`, both included. The signal is aborted when they are no longer wanted. */
export type ReadRange = (first: number, last: number, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>

export type ByteSource = FileHandle | ReadRange

export const isOnDisk = (source: ByteSource): source is FileHandle => typeof source !== 'function'

export const closeSource = async (source: ByteSource): Promise<void> => {
  if (isOnDisk(source)) await source.close()
}

/** The next bytes; an empty piece: there are no more. `end` is called once, at any time. */
export type Pieces = { next(): Promise<Uint8Array>; end(): Promise<void> }

/** Bytes of one piece of a file. One piece is sent while the next is read. */
const piece_bytes = 128 * 1024

export const piecesOf = (source: ByteSource, first: number, last: number): Pieces =>
  isOnDisk(source) ? fromDisk(source, first, last) : fromRange(source, first, last)

/** Each piece needs a new buffer, because its reader keeps it. */
function fromDisk(handle: FileHandle, first: number, last: number): Pieces {
  let position = first
  return {
    async next() {
      const buffer = Buffer.allocUnsafeSlow(Math.min(piece_bytes, last - position + 1))
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
      position += bytesRead
      return buffer.subarray(0, bytesRead)
    },
    end: () => handle.close(),
  }
}

/** The range is requested when the first piece is, so a reader that leaves before that costs nothing. */
function fromRange(readRange: ReadRange, first: number, last: number): Pieces {
  const leaving = new AbortController()
  let reading: Promise<ReadableStreamDefaultReader<Uint8Array>> | undefined
  return {
    async next() {
      reading ??= readRange(first, last, leaving.signal).then(body => body.getReader())
      const { value } = await (await reading).read()
      return value ?? new Uint8Array()
    },
    async end() {
      leaving.abort()
    },
  }
}
