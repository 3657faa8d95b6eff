/**
 * Chooses which subtitles of a video are fetched, from yt-dlp's info file: those that people wrote, and the automatic captions of the spoken
 * language where there are none in it. Pure.
 */
import type { Quality } from '../../schema/downloads/quality.ts'
import { automaticName, isSame, Language } from '../../schema/sources/subtitles.ts'
import type { InfoFile } from './info-file.ts'

/** `ytdlp_name`: yt-dlp's name of it, also in the name of the file that it writes. */
export type ChosenSubtitles = { language: string; ytdlp_name: string }

/** Sound has only what was said: one file, for the transcript. */
export function subtitlesFor(info: InfoFile, quality: Quality): ChosenSubtitles[] {
  const written = languagesOf(info).map(language => ({ language, ytdlp_name: language }))
  const automatic = automaticOf(info) ?? []
  if (quality !== 'audio') return [...written, ...automatic]
  const spoken = spokenIn(info)
  return [...written.filter(({ language }) => isSame(language, spoken)), ...automatic, ...written].slice(0, 1)
}

/** Some videos have subtitles in a hundred languages; no more than these are downloaded. */
export const max_languages = 10

/** The languages of what people wrote: English first, then the spoken language. Without chats. */
export function languagesOf({ subtitles, language }: InfoFile): string[] {
  const found = Object.keys(subtitles ?? {}).filter(name => Language.safeParse(name).success && !chats.has(name))
  const rank = (tag: string) => (isSame(tag, 'en') ? 0 : isSame(tag, language) ? 1 : 2)
  return found.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)).slice(0, max_languages)
}

const chats = new Set(['live_chat', 'danmaku', 'rechat', 'comments', 'all'])

/**
 * The automatic captions of the spoken language, as a list of one; `undefined`: there are none, or people wrote some. Never translated ones:
 * YouTube often refuses these, and a transcript is what was said.
 */
function automaticOf(info: InfoFile): [ChosenSubtitles] | undefined {
  const ytdlp_name = originalOf(info)
  const spoken = spokenIn(info)
  if (ytdlp_name === undefined || spoken === null) return undefined
  // All of them: the limit on languages may have left it out.
  const has_written = Object.keys(info.subtitles ?? {}).some(language => isSame(language, spoken))
  const language = automaticName(ytdlp_name.replace(original_end, ''))
  return has_written || !Language.safeParse(language).success ? undefined : [{ language, ytdlp_name }]
}

/** The language of the sound; if the site does not say it, that of the original captions. */
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
  // Of several in unknown languages, any could be the spoken one.
  return spoken[0] ?? (language == null && originals.length === 1 ? originals[0] : undefined)
}

/** yt-dlp adds it to the language of YouTube's captions that were not translated. */
const original_end = /-orig$/

/** YouTube names the language of a translation in the address. */
const isTranslated = (tracks: unknown): boolean => /[?&]tlang=/.test(JSON.stringify(tracks ?? null))
