/** Subtitles of a video, each file in one language, and what is said in them, line by line. */
import { z } from 'zod'

/** The site's own name of the language, mostly a tag such as `en` or `pt-BR`. Without dots and slashes, it fits file names. */
export const Language = z
  .string()
  .max(40)
  .regex(/^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/)

/**
 * Automatic captions are named `en-x-auto`: a private part, so the name stays a language tag. It also tells them apart from subtitles
 * that a person wrote, in the name of the file too.
 */
const automatic_part = '-x-auto'

export const automaticName = (language: string): string => `${language}${automatic_part}`
export const isAutomatic = (language: string): boolean => language.endsWith(automatic_part)
/** The language without the private part. */
export const withoutPart = (language: string): string =>
  isAutomatic(language) ? language.slice(0, -automatic_part.length) : language

/** Subtitles with only what is said in another language. */
const forced_part = '-forced'

export const forcedName = (language: string): string => `${language}${forced_part}`
/** A regular expression, for JavaScript and for Postgres. */
export const forced_pattern = `${forced_part}(-[0-9][0-9]?)?$`
export const isForced = (language: string): boolean => new RegExp(forced_pattern).test(language)

/** The name that no other subtitles of the video have: `zh-2` for the second ones in `zh`. */
export function freeName(language: string, taken: { has(name: string): boolean }): string {
  for (let nth = 1; ; nth++) {
    const name = nth === 1 ? language : `${language}-${nth}`
    if (!taken.has(name)) return name
  }
}

/** The usual spelling of a language tag: `es` for `spa`, `pt-BR` for `pt_br`. `undefined`: it is no tag, or names no language. */
export function usualTag(tag: string): string | undefined {
  try {
    const usual = new Intl.Locale(tag.replaceAll('_', '-')).toString()
    return /^und(?:-|$)/.test(usual) ? undefined : Language.safeParse(usual).data
  } catch {
    return undefined
  }
}

/** Whether two tags are of one language; `pt` and `pt-BR` are. */
export const isSame = (tag: string, other: string | null | undefined): boolean =>
  other != null && base(tag) === base(other)

const base = (tag: string) => tag.toLowerCase().split(/[-_]/)[0]

/** Some videos have subtitles in a hundred languages; at most this many are downloaded. */
export const max_subtitles = 10

/** A downloaded file that was not moved to its place yet. */
export type SubtitleFile = { language: string; file: string }

export const TranscriptLine = z.object({
  start_seconds: z.int().min(0).describe('Where it is said, in whole seconds from the start.'),
  text: z.string().describe('What is said there.'),
})
export type TranscriptLine = z.infer<typeof TranscriptLine>

export const Transcript = z.object({
  language: Language.describe('The language of the lines; `und`: unknown.'),
  automatic: z.boolean().describe('Whether a machine wrote them.'),
  lines: z.array(TranscriptLine).describe('All lines, in their order.'),
})
export type Transcript = z.infer<typeof Transcript>

/** How many videos captions are fetched for, and for how many the site has been asked. */
export type CaptionProgress = { videos: number; asked: number }

/** What is said without its lines. `is_read`: false while its subtitles wait for the worker that reads them. */
export type TranscriptAbout = Pick<Transcript, 'language' | 'automatic'> & { is_read: boolean }

/** "Brazilian Portuguese" for `pt-BR`, "English (automatic)" for `en-x-auto`. What is not a language tag is returned as it is. */
export function languageWords(language: string): string {
  if (isAutomatic(language)) return `${languageWords(withoutPart(language))} (automatic)`
  const [, before, part] = /^(.+)-(\d\d?|forced)$/.exec(language) ?? []
  if (before !== undefined) return `${languageWords(before)} (${part})`
  if (language === 'und') return 'Unknown language'
  try {
    return languages.of(language.replaceAll('_', '-')) ?? language
  } catch {
    return language
  }
}

const languages = new Intl.DisplayNames(['en'], { type: 'language' })
