/** Reads a range of an object as fast as its reader takes it, and requests the rest again when the connection breaks. */
import type { ReadRange } from '../../runtime/byte-source.ts'
import type { BucketRequests } from './requests.ts'

/** Milliseconds without a byte, while the reader waits for one. */
const silence_ms = 30_000
/** Requests in a row that bring no byte. Storage closes the connection of a video that is paused, so one for the rest is usual. */
const most_without_progress = 3

export function rangeReader(requests: BucketRequests, key: string, etag: string, limit_ms = silence_ms): ReadRange {
  return async (first, last, signal) => {
    let position = first
    let failures = 0
    const connect = async () => {
      const silence = new AbortController()
      const answer = await requests.readRange(key, position, last, etag, AbortSignal.any([signal, silence.signal]))
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
      return {
        async read() {
          const timer = setTimeout(
            () => silence.abort(new Error('the object storage sent nothing for too long')),
            limit_ms,
          )
          const { value } = await reader.read().finally(() => clearTimeout(timer))
          if (value === undefined && position <= last) throw new Error('the object storage sent too few bytes')
          return value
        },
        cancel: () => reader.cancel(),
      }
    }
    let connection = await connect()
    const read = async (): Promise<Uint8Array | undefined> => {
      for (;;) {
        try {
          const piece = await connection.read()
          failures = 0
          position += piece?.length ?? 0
          return piece
        } catch (fault) {
          failures += 1
          if (signal.aborted || failures > most_without_progress) throw fault
          connection = await connect()
        }
      }
    }
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const piece = position <= last ? await read() : undefined
          if (piece) controller.enqueue(piece)
          else controller.close()
        },
        cancel: () => connection.cancel(),
      },
      { highWaterMark: 0 },
    )
  }
}
