/** Subtitles of a video. Each file is in one language. */
import { z } from 'zod'

/** The site's own name of the language, mostly a tag such as `en` or `pt-BR`. Without dots and slashes, it fits file names. */
export const Language = z
  .string()
  .max(40)
  .regex(/^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/)

/**
 * Automatic captions are named `en-x-auto`: a private part, so the name stays a language tag. It also tells them apart from subtitles that a
 * person wrote, in the name of the file too.
 */
const automatic_part = '-x-auto'

export const automaticName = (language: string): string => `${language}${automatic_part}`
export const isAutomatic = (language: string): boolean => language.endsWith(automatic_part)
/** The language itself. */
export const withoutPart = (language: string): string =>
  isAutomatic(language) ? language.slice(0, -automatic_part.length) : language

/** Also in variants of one language, such as `pt` and `pt-BR`. */
export const isSame = (tag: string, other: string | null | undefined): boolean =>
  other != null && base(tag) === base(other)

const base = (tag: string) => tag.toLowerCase().split(/[-_]/)[0]

/** A downloaded file that was not moved to its place yet. */
export type SubtitleFile = { language: string; file: string }
