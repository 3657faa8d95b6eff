/** Which files a video arrives in, by yt-dlp's plan, and whether they can be played from their start before they are complete. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Quality } from '../../schema/downloads/quality.ts'
import { sound_folder, stemFor } from './command.ts'
import type { Plan } from './line.ts'

/**
 * `main`: the file that yt-dlp fetches first, with the picture where there is one. `sound`: of a second file, which yt-dlp fetches after
 * it; `undefined`: there is none.
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

/** A site chooses these, and they become part of a path. */
const isPlain = (name: string | null | undefined): name is string => /^\w[\w.=-]{0,80}$/.test(name ?? '')

/**
 * Whether the file has what a player needs before its data; `undefined`: too little of it has arrived. Only an MP4 can have it behind: its
 * index (`moov`) is then after its data (`mdat`).
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
