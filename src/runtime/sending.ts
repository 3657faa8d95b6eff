/**
 * Sends a part of a file to a reader of any speed. The body is a ReadableStream. On Node, `sendOnNode` writes the bytes itself
 * instead, because it can use its buffers again: this is three times faster than a new buffer for each read, and a stalled
 * reader costs one small buffer.
 */
import type { FileHandle } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { giveBack, small_bytes, takeLarge, takeSmall } from './buffers.ts'

export type FileSlice = {
  handle: FileHandle
  /** Positions of the first and the last byte, both included. */
  first: number
  last: number
  /** Milliseconds after which a reader that takes nothing is disconnected. */
  idle_ms: number
  /** Called once when the sending ends for any reason, after the file is closed. */
  onEnd(): void
}

const slices = new WeakMap<ReadableStream, FileSlice>()

/** The file is closed when the body is read, cancelled, or not read for `idle_ms`. */
export function bodyOf(slice: FileSlice): ReadableStream<Uint8Array> {
  const body = readableOf(slice)
  slices.set(body, slice)
  return body
}

/** The slice from which `bodyOf` made this body; `undefined` for every other body. */
export const sliceIn = (answer: Response): FileSlice | undefined =>
  answer.headers.has('Accept-Ranges') && answer.body ? slices.get(answer.body) : undefined

/** Bytes of one piece of a ReadableStream. One piece is sent while the next is read. */
const piece_bytes = 128 * 1024
/** A write that takes less time counts as fast. */
const fast_ms = 20
/** Fast writes in a row before large buffers are used. */
const fast_writes = 4

/** Reads as fast as the body is read. Each read needs a new buffer, because the reader of the body keeps it. */
function readableOf({ handle, first, last, idle_ms, onEnd }: FileSlice): ReadableStream<Uint8Array> {
  let position = first
  let idle: NodeJS.Timeout | undefined
  const end = once(() => {
    clearTimeout(idle)
    return handle.close().finally(onEnd)
  })
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(idle)
        try {
          const buffer = Buffer.allocUnsafeSlow(Math.min(piece_bytes, last - position + 1))
          const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
          // The file was shortened after its headers were sent, so the answer must break off.
          if (bytesRead === 0) throw new Error('the file ended early')
          position += bytesRead
          controller.enqueue(buffer.subarray(0, bytesRead))
          if (position > last) {
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

/** Writes status, headers and bytes. Never rejects; ends when the reader leaves or takes nothing for `idle_ms`. */
export async function sendOnNode(answer: Response, slice: FileSlice, out: ServerResponse): Promise<void> {
  const { handle, first, last, idle_ms, onEnd } = slice
  const gone = hangUpOf(out)
  try {
    out.writeHead(answer.status, [...answer.headers].flat())
    let position = first
    let fast = 0
    while (position <= last && !gone.hung_up) {
      const buffer = fast >= fast_writes && last - position > small_bytes ? takeLarge() : takeSmall()
      const length = Math.min(buffer.length, last - position + 1)
      const { bytes, is_fast } = await sendPiece(
        handle,
        position,
        buffer.subarray(0, length),
        out,
        gone,
        idle_ms,
      ).finally(() => giveBack(buffer))
      position += bytes
      fast = is_fast ? fast + 1 : 0
    }
    if (!gone.hung_up) out.end()
  } catch {
    // A part of the answer is sent already. Only a broken connection tells the reader that it is incomplete.
    out.destroy()
  } finally {
    await handle.close().finally(onEnd)
  }
}

async function sendPiece(
  handle: FileHandle,
  position: number,
  buffer: Uint8Array,
  out: ServerResponse,
  gone: HangUp,
  idle_ms: number,
): Promise<{ bytes: number; is_fast: boolean }> {
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
  if (bytesRead === 0) throw new Error('the file ended early')
  const began = performance.now()
  const written = await write(out, buffer.subarray(0, bytesRead), gone, idle_ms)
  return { bytes: bytesRead, is_fast: written && performance.now() - began < fast_ms }
}

type HangUp = { hung_up: boolean; notice: () => void }

function hangUpOf(out: ServerResponse): HangUp {
  const gone: HangUp = { hung_up: out.destroyed, notice: () => {} }
  // After `close` the system no longer reads from the buffers.
  out.on('close', () => {
    gone.hung_up = true
    gone.notice()
  })
  out.on('error', () => out.destroy())
  return gone
}

/** Whether the system took all bytes; `false` after a hang-up. */
function write(out: ServerResponse, bytes: Uint8Array, gone: HangUp, idle_ms: number): Promise<boolean> {
  return new Promise(resolve => {
    if (gone.hung_up) return resolve(false)
    const idle = setTimeout(() => out.destroy(), idle_ms)
    const end = (written: boolean) => {
      clearTimeout(idle)
      gone.notice = () => {}
      resolve(written)
    }
    gone.notice = () => end(false)
    // After an error, `close` follows.
    out.write(bytes, fault => {
      if (!fault) end(true)
    })
  })
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined
  return () => {
    done ??= work()
    return done
  }
}
