/**
 * Reads a file while yt-dlp still writes it. An unfinished file is named `….part` and renamed when it is complete; the handle that reads
 * it stays valid.
 */
import { type FileHandle, open, stat } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

/** Milliseconds between two looks for more bytes. No notification is used, because network file systems send none. */
const look_ms = 150
const chunk_bytes = 256 * 1024

/** yt-dlp began the file again from its start, so what was read is not what comes next. */
export class Restarted extends Error {}

/**
 * All bytes of the first of `files` that exists, complete or not; it waits for both. Ends early when `signal` is aborted, and throws
 * `Restarted` when the file becomes shorter.
 */
export async function* readGrowing(files: string[], signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const opened = await firstOf(files, signal)
  if (!opened) return
  const { handle, part, size } = opened
  try {
    for (let at = 0; !signal.aborted; ) {
      // Asked before reading, so that what was written before the rename is read.
      const is_complete = part === undefined || !(await exists(part))
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunk_bytes), 0, chunk_bytes, at)
      at += bytesRead
      if (bytesRead > 0) yield buffer.subarray(0, bytesRead)
      else if (is_complete) return
      else if ((await handle.stat()).size < Math.max(at, size)) throw new Restarted('yt-dlp began the file again')
      else await pause(signal)
    }
  } finally {
    await handle.close()
  }
}

/** `size`: bytes that it had when it was opened. */
type Opened = { handle: FileHandle; size: number; part: string | undefined }

async function firstOf(files: string[], signal: AbortSignal): Promise<Opened | undefined> {
  while (!signal.aborted) {
    for (const file of files) {
      const complete = await opening(file)
      if (complete) return { ...complete, part: undefined }
      const part = `${file}.part`
      const growing = await opening(part)
      if (growing) return { ...growing, part }
    }
    await pause(signal)
  }
  return undefined
}

/** `undefined`: it is missing, or empty so far. */
async function opening(file: string): Promise<Pick<Opened, 'handle' | 'size'> | undefined> {
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile() || found.size === 0) return undefined
  const handle = await open(file).catch(() => undefined)
  return handle && { handle, size: found.size }
}

const exists = async (file: string) => (await stat(file).catch(() => undefined)) !== undefined

/** Until the next look; shorter when the signal is aborted. */
export const pause = (signal: AbortSignal) => setTimeout(look_ms, undefined, { signal }).catch(() => {})
