/**
 * Sends a part of a file to a reader of any speed. The body is a ReadableStream everywhere; on Node `sendOnNode` takes it
 * apart again and writes the bytes itself, because there a buffer can be used again: three times faster than a new one
 * for each read, and a stalled reader costs one small buffer.
 */
import type { FileHandle } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'

export type FileSlice = {
  handle: FileHandle
  /** Bytes, both included. */
  first: number
  last: number
  /** Milliseconds after which a reader that takes nothing is disconnected. */
  idle_ms: number
  /** Called once, whatever ends the sending; the file is closed by then. */
  onEnd(): void
}

const slices = new WeakMap<ReadableStream, FileSlice>()

/** The file is closed when the body has been read, given up or left alone for `idle_ms`. */
export function bodyOf(slice: FileSlice): ReadableStream<Uint8Array> {
  const body = readableOf(slice)
  slices.set(body, slice)
  return body
}

/** What `bodyOf` made this body of; undefined for every other body. */
export const sliceIn = (answer: Response): FileSlice | undefined =>
  answer.headers.has('Accept-Ranges') && answer.body ? slices.get(answer.body) : undefined

/** Of a reader whose line is not fast, or not known yet. */
const small_bytes = 64 * 1024
/** Of a fast reader: the fewer reads and writes, the faster. */
const large_bytes = 512 * 1024
/** Of a ReadableStream, whose readers keep what they got: one piece is sent while the next is read. */
const piece_bytes = 128 * 1024
/** A write that is over sooner is a fast reader's. */
const fast_ms = 20
/** Fast writes in a row before the buffers become large. */
const fast_writes = 4

/** Reads as fast as the body is read. Every read has a buffer of its own: who reads the body keeps what it got. */
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
          // The file is shorter than its headers said, because it was cut meanwhile: a broken answer says so.
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

/** Writes status, headers and bytes. Never rejects; a reader that leaves or stalls for `idle_ms` ends it. */
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
    // Part of the answer is out: only a broken connection says that it is not whole.
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
  // The socket is closed by then, so the system reads no buffer any more.
  out.on('close', () => {
    gone.hung_up = true
    gone.notice()
  })
  out.on('error', () => out.destroy())
  return gone
}

/** Whether all of it reached the system; `false` after a hang-up. */
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
    // After a fault the close follows.
    out.write(bytes, fault => {
      if (!fault) end(true)
    })
  })
}

/** So many large buffers exist at once; further readers get small ones. Stalled readers together hold no more than these. */
const most_large = 16
/** Buffers that are kept for the next reader. */
const most_kept = 32
const most_kept_large = 4
let large_out = 0
const kept: { small: Buffer<ArrayBuffer>[]; large: Buffer<ArrayBuffer>[] } = { small: [], large: [] }

const takeSmall = (): Buffer<ArrayBuffer> => kept.small.pop() ?? Buffer.allocUnsafeSlow(small_bytes)

function takeLarge(): Buffer<ArrayBuffer> {
  if (large_out >= most_large) return takeSmall()
  large_out += 1
  return kept.large.pop() ?? Buffer.allocUnsafeSlow(large_bytes)
}

function giveBack(buffer: Buffer<ArrayBuffer>): void {
  const is_large = buffer.length === large_bytes
  if (is_large) large_out -= 1
  const shelf = is_large ? kept.large : kept.small
  if (shelf.length < (is_large ? most_kept_large : most_kept)) shelf.push(buffer)
  // Frees the memory now: after a thousand readers leave, no garbage collection may be due for a long time.
  else buffer.buffer.transfer(0)
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined
  return () => {
    done ??= work()
    return done
  }
}
