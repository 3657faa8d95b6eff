/**
 * Fetches the chosen subtitles of a video into its folder, with the info file that an earlier run of yt-dlp left there, and reads both. What to
 * do without them is left to the caller.
 */
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SubtitleFile } from '../../schema/sources/subtitles.ts'
import { info_file, subtitleArgumentsOf } from './command.ts'
import type { DownloadContext } from './download-context.ts'
import { runHelperIn } from './helper.ts'
import { InfoFile } from './info-file.ts'
import type { Ended } from './process.ts'
import type { ChosenSubtitles } from './subtitle-choice.ts'

/** The longest that subtitles may delay a download. */
const longest_ms = 90_000
const silence_ms = 30_000

/** `onLine`: hears what yt-dlp prints. Rejects when the signal is aborted. */
export const fetchSubtitles = (
  { tools, policy, folder, signal }: Pick<DownloadContext, 'tools' | 'policy' | 'folder' | 'signal'>,
  chosen: ChosenSubtitles[],
  left_ms = longest_ms,
  onLine: (line: string) => void = () => {},
): Promise<Ended | 'refused'> =>
  runHelperIn(folder, {
    ...{ tools, policy, signal, onLine },
    args: subtitleArgumentsOf({
      ...{ folder, ffmpeg: tools.ffmpeg, version: tools.ytdlp.version },
      names: chosen.map(({ ytdlp_name }) => ytdlp_name),
    }),
    silence_ms: () => silence_ms,
    longest_ms: Math.min(longest_ms, left_ms),
  })

/** Limits in bytes for files that are read into memory. */
const max_info_bytes = 32 * 1024 * 1024
export const max_subtitle_bytes = 4 * 1024 * 1024

/** `undefined`: there is none, or it is not readable. */
export async function readInfoFile(folder: string): Promise<InfoFile | undefined> {
  const text = await smallFile(join(folder, info_file), max_info_bytes)
  return text === undefined ? undefined : InfoFile.safeParse(JSON.parse(text)).data
}

/** The files that exist and are WebVTT. */
export async function readSubtitles(folder: string, chosen: ChosenSubtitles[]): Promise<SubtitleFile[]> {
  const found = await Promise.all(
    chosen.map(async ({ language, ytdlp_name }) => {
      const file = join(folder, `subtitles.${ytdlp_name}.vtt`)
      const text = await smallFile(file, max_subtitle_bytes)
      return text !== undefined && /^\ufeff?WEBVTT(?:[\s]|$)/.test(text) && text.includes('-->')
        ? [{ language, file }]
        : []
    }),
  )
  return found.flat()
}

/** `undefined`: it is missing, no regular file, or too large. */
async function smallFile(file: string, most: number): Promise<string | undefined> {
  const found = await lstat(file).catch(() => undefined)
  return found?.isFile() && found.size <= most ? await readFile(file, 'utf8') : undefined
}
