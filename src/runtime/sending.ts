/**
 * Sends a part of a file to a reader of any speed. The body is a ReadableStream. On Node, `sending-on-node.ts` writes the bytes itself
 * instead, because it can use its buffers for a file of this machine again: this is three times faster than a new buffer for each
 * read, and a stalled reader costs one small buffer.
 */
import { type ByteSource, piecesOf } from './byte-source.ts'

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

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined
  return () => {
    done ??= work()
    return done
  }
}
