/**
 * The files in which a video arrives: which ones, by yt-dlp's plan; whether they can be played from their start before they are complete;
 * and reading them while yt-dlp still writes them.
 */
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Quality } from '../../schema/downloads/quality.ts'
import { sound_folder, stemFor } from '../ask/command.ts'
import type { Plan } from '../ask/output.ts'

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
 * `plays`: from its start, before the file is complete. `has_stream_headers`: its AAC has the header of a stream (ADTS) before each frame,
 * as in MPEG-TS, which MP4 does not allow.
 */
type FileStart = { plays: boolean; has_stream_headers: boolean }

/** Waits until it is known whether the first of `files` that exists can be played from its start. */
export async function startOfGrowing(files: string[], signal: AbortSignal): Promise<FileStart> {
  let head = Buffer.alloc(0)
  for await (const bytes of readGrowing(files, signal)) {
    head = Buffer.concat([head, bytes])
    const start = startIn(head)
    if (start) return start
    if (head.length > max_head_bytes) break
  }
  signal.throwIfAborted()
  return { plays: false, has_stream_headers: false }
}

/** More than the index or the tag of a file that plays from its start. */
const max_head_bytes = 16 * 1024 * 1024

/** What the first bytes of a file say; `undefined`: they are too few. */
export function startIn(head: Buffer): FileStart | undefined {
  const [plays, has_stream_headers] = [playsFromStart(head), hasStreamHeaders(head)]
  return plays === undefined || has_stream_headers === undefined ? undefined : { plays, has_stream_headers }
}

/** Every file plays from its start but an MP4 whose index (`moov`) comes after its data (`mdat`). */
function playsFromStart(head: Buffer): boolean | undefined {
  for (let at = 0, n = 0; n < 100; n++) {
    if (head.length < at + 16) return undefined
    const type = head.toString('latin1', at + 4, at + 8)
    if (n === 0 && type !== 'ftyp') return true
    if (type === 'moov' || type === 'mdat') return type === 'moov'
    const short = head.readUInt32BE(at)
    const length = short === 1 ? Number(head.readBigUInt64BE(at + 8)) : short
    if (length < 8) return false
    at += length
  }
  return false
}

/** MPEG-TS has the headers of streams inside. Sound alone begins with such a header, maybe behind an ID3 tag. */
function hasStreamHeaders(head: Buffer): boolean | undefined {
  const at = head.toString('latin1', 0, 3) === 'ID3' ? 10 + lengthOfTag(head) : 0
  if (head.length < at + 2) return undefined
  return head[at] === 0x47 || (head[at] === 0xff && ((head[at + 1] ?? 0) & 0xf6) === 0xf0)
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
  const { handle, part } = opened
  const fragments = part === undefined ? undefined : fragmentReader(part, handle)
  let longest = opened.size
  try {
    for (let at = 0, idle = 0; !signal.aborted; ) {
      // Checked before reading, so that the bytes written before the rename are read.
      const is_complete = part === undefined || !(await exists(part))
      let bytes = await bytesAt(handle, at)
      const { size } = await handle.stat()
      // A file that was given up is emptied before it is deleted: it may be opened in between.
      const is_given_up = is_complete && (size < at || size === 0)
      if (size < longest || is_given_up) throw new Restarted('yt-dlp began the file again')
      longest = size
      if (bytes.length === 0 && is_complete) return
      if (bytes.length === 0 && fragments) bytes = await fragments.read(at, size)
      if (bytes.length > 0) {
        yield bytes
        at += bytes.length
        idle = 0
      } else await pause(signal, idle++)
    }
  } finally {
    await Promise.all([handle.close(), fragments?.close()])
  }
}

/** yt-dlp began the file again from its start, so the bytes that come do not continue those that were read. */
export class Restarted extends Error {}

const chunk_bytes = 64 * 1024

async function bytesAt(handle: FileHandle, at: number): Promise<Uint8Array> {
  const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunk_bytes), 0, chunk_bytes, at)
  return buffer.subarray(0, bytesRead)
}

/**
 * Of DASH and HLS, yt-dlp fetches each fragment into a file of its own, and appends the fragment to the file `part` when the fragment is
 * complete. `file`: the handle of `part`.
 */
function fragmentReader(part: string, file: FileHandle) {
  let latest: Fragment | undefined
  const close = async () => {
    await latest?.handle.close()
    latest = undefined
  }
  return {
    close,
    /** The bytes that will follow the first `at` of the file, as far as they have arrived. `size`: bytes that the file has now. */
    async read(at: number, size: number): Promise<Uint8Array> {
      const is_appended = latest && latest.at < size
      if (is_appended) await close()
      latest ??= await openFragment(part, file)
      // While a fragment was opened, the one before may have been appended: its bytes come first, from the file.
      return latest && at >= latest.at ? bytesAt(latest.handle, at - latest.at) : new Uint8Array()
    },
  }
}

/** `at`: where the fragment will be in the file. */
type Fragment = { handle: FileHandle; at: number }

/** The fragment that yt-dlp is fetching; `undefined`: there is none, or it is encrypted. */
async function openFragment(part: string, file: FileHandle): Promise<Fragment | undefined> {
  const begin = `${basename(part)}-Frag`
  const found = await readdir(dirname(part)).catch(() => [])
  const name = found.find(name => name.startsWith(begin) && /^\d+\.part$/.test(name.slice(begin.length)))
  const handle = name && (await open(join(dirname(part), name)).catch(() => undefined))
  if (!handle) return undefined
  const { size } = await file.stat()
  const head = Buffer.from(await bytesAt(handle, 0))
  // Under this name it is unfinished, so nothing of it has been appended.
  if (isMedia(head) && (await exists(join(dirname(part), name)))) return { handle, at: size }
  await handle.close()
  return undefined
}

const first_boxes = new Set(['ftyp', 'styp', 'moov', 'moof', 'sidx', 'emsg', 'prft'])
/** Where the first packets of MPEG-TS begin, each with the byte 0x47. */
const first_packets = [0, 188, 376]

/** Whether these bytes begin MPEG-TS, MP4, WebM or sound behind a tag. An encrypted fragment begins none of these. */
const isMedia = (head: Buffer): boolean =>
  first_packets.every(at => head[at] === 0x47) ||
  first_boxes.has(head.toString('latin1', 4, 8)) ||
  head.toString('latin1', 0, 3) === 'ID3' ||
  ['1a45dfa3', '1f43b675'].includes(head.toString('hex', 0, 4))

/** `size`: bytes that the file had when it was opened. */
type OpenFile = { handle: FileHandle; size: number; part: string | undefined }

async function firstOf(files: string[], signal: AbortSignal): Promise<OpenFile | undefined> {
  for (let looks = 0; !signal.aborted; looks++) {
    for (const file of files) {
      const complete = await openIfThere(file)
      if (complete) return { ...complete, part: undefined }
      const part = `${file}.part`
      const growing = await openIfThere(part)
      if (growing) return { ...growing, part }
    }
    await pause(signal, looks)
  }
  return undefined
}

async function openIfThere(file: string): Promise<Pick<OpenFile, 'handle' | 'size'> | undefined> {
  const handle = await open(file).catch(() => undefined)
  if (!handle) return undefined
  const status = await handle.stat()
  if (status.isFile()) return { handle, size: status.size }
  await handle.close()
  return undefined
}

export const exists = async (file: string): Promise<boolean> => (await stat(file).catch(() => undefined)) !== undefined

/**
 * Waits until the next look, or until the signal is aborted: longer after each look that finds nothing. Network file systems send no
 * notifications of changes.
 */
const pause = (signal: AbortSignal, empty_looks: number) =>
  setTimeout(Math.min(160, 20 * 2 ** empty_looks), undefined, { signal }).catch(() => {})
