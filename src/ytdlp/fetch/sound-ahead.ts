/**
 * Fetches the separate sound of a video while yt-dlp's main run fetches the picture: yt-dlp fetches one after the other, and a picture
 * without sound cannot be watched.
 */
import { mkdir, rename, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Pace } from '../../net/egress-proxy.ts'
import { sound_folder, soundArgumentsOf } from '../ask/command.ts'
import { info_file } from '../operator/with-operator.ts'
import type { DownloadContext } from '../process/download-context.ts'
import { runYtdlp } from '../process/ytdlp.ts'
import { exists, type SoundFile } from './arriving-files.ts'

/** `picture`: the file in which the main run fetches the picture. `sound_per_picture`: bytes of sound for each byte of picture. */
type Beside = { picture: string; sound_per_picture: number }

/**
 * The main run then finds the complete sound in its place and does not fetch it. If the sound cannot be fetched here, the main run fetches
 * it. Does nothing where the main run has reached the sound.
 */
export async function fetchSoundAhead(
  context: DownloadContext,
  { format_id, file, ahead }: SoundFile,
  beside: Beside,
): Promise<void> {
  if (await hasBegun(file)) return
  const { tools, policy, cookies, signal, silence_ms } = context
  const folder = join(context.folder, sound_folder)
  await mkdir(folder, { recursive: true })
  const request = { format_id, folder, ffmpeg: tools.ffmpeg, version: tools.ytdlp.version }
  const ended = await runYtdlp(folder, {
    kind: 'download',
    tools,
    policy,
    cookies,
    signal,
    pace: paceBeside(beside, signal),
    args: soundArgumentsOf(request, join(context.folder, info_file)),
    silence_ms: () => silence_ms,
    longest_ms: context.deadline - performance.now(),
    onLine: () => {},
  })
  if ('failure' in ended || ended.exit !== 0) await giveUp(ahead)
  else if (!(await hasBegun(file))) await rename(ahead, file)
}

/** Enough for the first seconds, and then twice as many bytes as most sound has. */
const at_once_bytes = 65_536
const bytes_a_ms = 32
const check_ms = 100

/**
 * Two transfers share a line evenly, and half of a slow line is too little for the picture. Sound that is twice as far as the picture
 * therefore comes no faster than a player needs it.
 */
export function paceBeside({ picture, sound_per_picture }: Beside, signal: AbortSignal): Pace {
  const began = performance.now()
  let got = 0
  const isDue = async () => {
    const beside_picture = 2 * sound_per_picture * (await sizeOf(picture))
    return got <= at_once_bytes + Math.max(bytes_a_ms * (performance.now() - began), beside_picture)
  }
  return async bytes => {
    got += bytes
    while (!signal.aborted && !(await isDue())) await setTimeout(check_ms, undefined, { signal }).catch(() => {})
  }
}

const sizeOf = async (file: string): Promise<number> =>
  (await stat(file).catch(() => stat(`${file}.part`).catch(() => undefined)))?.size ?? 0

/** Whether the main run has the sound or a part of the sound. */
const hasBegun = async (file: string): Promise<boolean> =>
  (await exists(file)) || (await exists(`${file}.part`)) || (await exists(`${file}.ytdl`))

/** A reader of the partial file then begins again, with the sound of the main run. */
async function giveUp(file: string): Promise<void> {
  await truncate(`${file}.part`).catch(() => {})
  await rm(`${file}.part`, { force: true })
}
