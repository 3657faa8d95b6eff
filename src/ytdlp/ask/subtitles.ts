/** The subtitles of a video: chooses them from yt-dlp's info file, fetches them into the folder of the run, and reads them. */
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isSoundOnly, type Quality } from '../../schema/downloads/quality.ts'
import { onlyPreferred } from '../../schema/sources/subtitle-languages.ts'
import { automaticName, isSame, Language, max_subtitles, type SubtitleFile } from '../../schema/sources/subtitles.ts'
import type { Failure } from '../failures/failure.ts'
import { info_file } from '../operator/with-operator.ts'
import type { DownloadContext } from '../process/download-context.ts'
import type { ToolEnd } from '../process/run-tool.ts'
import { runYtdlp } from '../process/ytdlp.ts'
import { subtitleArgumentsOf } from './command.ts'
import { InfoFile } from './info-file.ts'

/** `ytdlp_name`: yt-dlp's name of the subtitles, also in the name of the file that yt-dlp writes. */
type ChosenSubtitles = { language: string; ytdlp_name: string }

/**
 * The subtitles that people wrote, and the automatic captions of the spoken language where people wrote none in it. For sound, only one
 * file with what was said, for the transcript.
 */
export function subtitlesFor(info: InfoFile, quality: Quality, preferred: string[] = []): ChosenSubtitles[] {
  const written = languagesOf(info, preferred).map(language => ({ language, ytdlp_name: language }))
  const automatic = automaticOf(info) ?? []
  if (!isSoundOnly(quality)) return [...written, ...automatic]
  const spoken = spokenIn(info)
  return [...written.filter(({ language }) => isSame(language, spoken)), ...automatic, ...written].slice(0, 1)
}

/**
 * The languages of what people wrote: English first, then the spoken language. Without chats.
 *
 * The file may be given to other people, so the languages that one person prefers only decide which of very many are left out. They change
 * neither the order, nor whether English and the spoken language are there.
 */
export function languagesOf({ subtitles, language }: InfoFile, preferred: string[] = []): string[] {
  const found = Object.keys(subtitles ?? {}).filter(name => Language.safeParse(name).success && !chats.has(name))
  const rank = (tag: string) => (isSame(tag, 'en') ? 0 : isSame(tag, language) ? 1 : 2)
  const usual = found.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
  return fewOf(usual, { spoken: language, preferred })
}

export type Choice = { spoken: string | null | undefined; preferred: string[] }

/** English, the spoken language, the preferred ones and then the others, as many as a video may have, in the order of `names`. */
export function fewOf(names: string[], { spoken, preferred }: Choice): string[] {
  const first = ['en', spoken].flatMap(language => names.find(name => isSame(name, language)) ?? [])
  const wanted = onlyPreferred(names, preferred).slice(0, max_subtitles - first.length)
  const chosen = new Set([...new Set([...first, ...wanted, ...names])].slice(0, max_subtitles))
  return names.filter(name => chosen.has(name))
}

const chats = new Set(['live_chat', 'danmaku', 'rechat', 'comments', 'all'])

/**
 * The automatic captions of the spoken language, as a list of one; `undefined`: there are none, or people wrote some. Never translated
 * ones: YouTube often refuses these, and a transcript is what was said.
 */
function automaticOf(info: InfoFile): [ChosenSubtitles] | undefined {
  const ytdlp_name = originalOf(info)
  const spoken = spokenIn(info)
  if (ytdlp_name === undefined || spoken === null) return undefined
  // All subtitles are searched, because the limit on languages may have left out the spoken language.
  const has_written = Object.keys(info.subtitles ?? {}).some(language => isSame(language, spoken))
  const language = automaticName(ytdlp_name.replace(original_end, ''))
  return has_written || !Language.safeParse(language).success ? undefined : [{ language, ytdlp_name }]
}

/** The language of the sound, or of the original captions if the site does not say it. */
export function spokenIn(info: InfoFile): string | null {
  const language = info.language ?? originalOf(info)?.replace(original_end, '')
  return Language.safeParse(language).data ?? null
}

/** yt-dlp's name of the captions that were not translated. */
function originalOf({ automatic_captions, language }: InfoFile): string | undefined {
  const names = Object.keys(automatic_captions ?? {}).filter(name => Language.safeParse(name).success)
  const marked = names.filter(name => original_end.test(name))
  const originals = marked.length > 0 ? marked : names.filter(name => !isTranslated(automatic_captions?.[name]))
  const spoken = originals.filter(name => isSame(name, language))
  // If several captions are in unknown languages, the spoken language could be any of them.
  return spoken[0] ?? (language == null && originals.length === 1 ? originals[0] : undefined)
}

/** yt-dlp adds this ending to the language of YouTube's captions that were not translated. */
const original_end = /-orig$/

/** YouTube names the language of a translation in the address. */
const isTranslated = (tracks: unknown): boolean => /[?&]tlang=/.test(JSON.stringify(tracks ?? null))

/** The longest that subtitles may delay a download. */
const longest_ms = 90_000
const silence_ms = 30_000

type FetchContext = Pick<DownloadContext, 'tools' | 'policy' | 'cookies' | 'folder' | 'signal'>

/** `onLine`: hears what yt-dlp prints. Rejects when the signal is aborted. */
export const fetchSubtitles = (
  { tools, policy, cookies, folder, signal }: FetchContext,
  chosen: ChosenSubtitles[],
  left_ms: number,
  onLine: (line: string) => void = () => {},
): Promise<ToolEnd | { failure: Failure }> =>
  runYtdlp(folder, {
    tools,
    policy,
    cookies,
    signal,
    onLine,
    args: subtitleArgumentsOf({
      folder,
      ffmpeg: tools.ffmpeg,
      version: tools.ytdlp.version,
      names: chosen.map(({ ytdlp_name }) => ytdlp_name),
    }),
    silence_ms: () => silence_ms,
    longest_ms: Math.min(longest_ms, left_ms),
  })

/** `undefined`: there is none, or it is not readable. */
export async function readInfoFile(folder: string): Promise<InfoFile | undefined> {
  const text = await smallFile(join(folder, info_file), max_info_bytes)
  return text === undefined ? undefined : InfoFile.safeParse(JSON.parse(text)).data
}

/** The files that exist and are WebVTT. */
export async function readSubtitles(folder: string, chosen: ChosenSubtitles[]): Promise<SubtitleFile[]> {
  const files = await Promise.all(
    chosen.map(async ({ language, ytdlp_name }) => {
      const file = join(folder, `subtitles.${ytdlp_name}.vtt`)
      const text = await smallFile(file, max_subtitle_bytes)
      return text !== undefined && /^\ufeff?WEBVTT(?:[\s]|$)/.test(text) && text.includes('-->')
        ? [{ language, file }]
        : []
    }),
  )
  return files.flat()
}

/** Limits in bytes for files that are read into memory. */
const max_info_bytes = 32 * 1024 * 1024
export const max_subtitle_bytes = 4 * 1024 * 1024

/** `undefined`: the file is missing, no regular file, or too large. */
async function smallFile(file: string, most: number): Promise<string | undefined> {
  const status = await lstat(file).catch(() => undefined)
  return status?.isFile() && status.size <= most ? await readFile(file, 'utf8') : undefined
}
