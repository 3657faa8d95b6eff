/**
 * The files in which a video arrives: which ones, by yt-dlp's plan; whether they can be played from their start before they are complete;
 * and reading them while yt-dlp still writes them.
 */
import { type FileHandle, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Quality } from '../../schema/downloads/quality.ts'
import { sound_folder, stemFor } from './command.ts'
import type { Plan } from './output.ts'

/**
 * `main`: the file that yt-dlp fetches first, with the picture where there is one. `sound`: a second file, which yt-dlp fetches after the
 * first; `undefined`: there is none.
 */
export type ArrivingFiles = { main: string; sound?: SoundFile | undefined }
/** `file`: where yt-dlp's main run puts it. `ahead`: where the run that fetches it at the same time puts it. */
export type SoundFile = { format_id: string; file: string; ahead: string }

/** `undefined`: the plan names more files, or names that yt-dlp would not choose. */
export function arrivingFiles(plan: Plan, folder: string, quality: Quality): ArrivingFiles | undefined {
  const stem = join(folder, stemFor(quality))
  const formats = plan.requested_formats ?? []
  if (formats.length === 0) return isPlain(plan.ext) ? { main: `${stem}.${plan.ext}` } : undefined
  const [picture, sound, ...more] = formats
  if (!picture || !sound || more.length > 0) return undefined
  if (![picture, sound].every(({ format_id, ext }) => isPlain(format_id) && isPlain(ext))) return undefined
  const ahead = join(folder, sound_folder, `sound.f${sound.format_id}.${sound.ext}`)
  return {
    main: `${stem}.f${picture.format_id}.${picture.ext}`,
    sound: { format_id: sound.format_id, file: `${stem}.f${sound.format_id}.${sound.ext}`, ahead },
  }
}

/** A site chooses these, and they become part of a path. */
const isPlain = (name: string | null | undefined): name is string => /^\w[\w.=-]{0,80}$/.test(name ?? '')

/**
 * Whether a player can begin with the first bytes of the file; `undefined`: too little of it has arrived. Only an MP4 may be unable to: its
 * index (`moov`) can come after its data (`mdat`).
 */
export async function playsFromStart(file: string): Promise<boolean | undefined> {
  const handle = await open(file).catch(() => undefined)
  if (!handle) return undefined
  try {
    const head = Buffer.alloc(16)
    for (let at = 0, boxes = 0; boxes < 100; boxes++) {
      const { bytesRead } = await handle.read(head, 0, 16, at)
      if (bytesRead < 16) return undefined
      const type = head.toString('latin1', 4, 8)
      if (boxes === 0 && type !== 'ftyp') return true
      if (type === 'moov' || type === 'mdat') return type === 'moov'
      const short = head.readUInt32BE(0)
      const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short
      if (length < 8) return false
      at += length
    }
    return false
  } finally {
    await handle.close()
  }
}

/**
 * Whether the AAC in the beginning of this file has the header of a stream (ADTS) before each frame, which MP4 does not have: in MPEG-TS,
 * and where it is alone, maybe behind an ID3 tag.
 */
export async function hasStreamHeaders(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const head = Buffer.alloc(10)
    await handle.read(head, 0, 10, 0)
    if (head.toString('latin1', 0, 3) === 'ID3') await handle.read(head, 0, 2, 10 + lengthOfTag(head))
    return head[0] === 0x47 || (head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0)
  } finally {
    await handle.close()
  }
}

/** Four bytes of seven bits each. */
const lengthOfTag = (head: Buffer): number =>
  head.subarray(6, 10).reduce((length, byte) => (length << 7) | (byte & 0x7f), 0)

/**
 * All bytes of the first of `files` that exists, read while yt-dlp still writes it: waits for the file and for its end. An unfinished file
 * is named `….part` and renamed when it is complete; the handle that reads it stays valid. Ends early when `signal` is aborted, and throws
 * `Restarted` when the file becomes shorter.
 */
export async function* readGrowing(files: string[], signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const opened = await firstOf(files, signal)
  if (!opened) return
  const { handle, part, size } = opened
  try {
    for (let at = 0; !signal.aborted; ) {
      // Checked before reading, so that the bytes written before the rename are read.
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

/** yt-dlp began the file again from its start, so the bytes that come do not continue those that were read. */
export class Restarted extends Error {}

const chunk_bytes = 256 * 1024

/** `size`: bytes that the file had when it was opened. */
type OpenFile = { handle: FileHandle; size: number; part: string | undefined }

async function firstOf(files: string[], signal: AbortSignal): Promise<OpenFile | undefined> {
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

/** `undefined`: the file is missing, or empty so far. */
async function opening(file: string): Promise<Pick<OpenFile, 'handle' | 'size'> | undefined> {
  const status = await stat(file).catch(() => undefined)
  if (!status?.isFile() || status.size === 0) return undefined
  const handle = await open(file).catch(() => undefined)
  return handle && { handle, size: status.size }
}

const exists = async (file: string) => (await stat(file).catch(() => undefined)) !== undefined

/** Milliseconds between two looks for more bytes. No notification is used, because network file systems send none. */
const look_ms = 150

/** Waits until the next look, or until the signal is aborted. */
export const pause = (signal: AbortSignal) => setTimeout(look_ms, undefined, { signal }).catch(() => {})
