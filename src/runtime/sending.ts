/**
 * Reads the bytes of a stored file, from an open file of this machine or from another server that sends a range of them, and sends a part
 * of them to a reader of any speed. The body is a ReadableStream. On Node, `sending-on-node.ts` writes the bytes itself instead, because it
 * can use one buffer for all pieces of a file of this machine: this is three times faster than a new buffer for each read.
 */
import type { FileHandle } from 'node:fs/promises'
import { once } from './cache.ts'

export type SourceSlice = {
  source: ByteSource
  /** Positions of the first and the last byte, both included. */
  first: number
  last: number
  /** Milliseconds after which a reader that takes nothing is disconnected. */
  idle_ms: number
  /** Called once when the sending ends for any reason, after the file is closed. */
  onEnd(): void
}

const slices = new WeakMap<ReadableStream, SourceSlice>()

/** The file is closed when the body is read, cancelled, or not read for `idle_ms`. */
export function bodyOf(slice: SourceSlice): ReadableStream<Uint8Array> {
  const body = readableOf(slice)
  slices.set(body, slice)
  return body
}

/** The slice from which `bodyOf` made this body; `undefined` for every other body. */
export const sliceIn = (answer: Response): SourceSlice | undefined =>
  answer.headers.has('Accept-Ranges') && answer.body ? slices.get(answer.body) : undefined

/** Reads as fast as the body is read. */
function readableOf({ source, first, last, idle_ms, onEnd }: SourceSlice): ReadableStream<Uint8Array> {
  const pieces = piecesOf(source, first, last)
  let missing = last - first + 1
  let idle: NodeJS.Timeout | undefined
  const end = once(() => {
    clearTimeout(idle)
    return pieces.end().finally(onEnd)
  })
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(idle)
        try {
          const piece = await pieces.next()
          // The file was shortened after its headers were sent, so the answer must break off.
          if (piece.length === 0) throw new Error('the file ended early')
          missing -= piece.length
          controller.enqueue(piece)
          if (missing <= 0) {
            controller.close()
            return await end()
          }
          idle = setTimeout(() => {
            controller.error(new Error('the reader took nothing for too long'))
            void end()
          }, idle_ms)
          idle.unref()
        } catch (fault) {
          controller.error(fault)
          await end()
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}

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

type PieceOptions = {
  /** The size of a buffer that is used for every piece, because the reader is done with one before it asks for the next. */
  reused_bytes?: number
}

export const piecesOf = (source: ByteSource, first: number, last: number, options: PieceOptions = {}): Pieces =>
  isOnDisk(source) ? fromDisk(source, first, last, options) : fromRange(source, first, last)

/** Each piece needs a new buffer if its reader keeps it. */
function fromDisk(handle: FileHandle, first: number, last: number, { reused_bytes }: PieceOptions): Pieces {
  let position = first
  const bufferOf = (bytes: number) => Buffer.allocUnsafeSlow(Math.min(bytes, last - position + 1))
  const reused = reused_bytes === undefined ? undefined : bufferOf(reused_bytes)
  return {
    async next() {
      const buffer = reused ?? bufferOf(piece_bytes)
      const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, last - position + 1), position)
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
