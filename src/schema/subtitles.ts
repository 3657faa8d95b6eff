/** Subtitles of a video. Each file is in one language. */
import { z } from 'zod'

/** The site's own name of the language, mostly a tag such as `en` or `pt-BR`. Without dots and slashes, it fits file names. */
export const Language = z
  .string()
  .max(40)
  .regex(/^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/)

/** A downloaded file that was not moved to its place yet. */
export type SubtitleFile = { language: string; file: string }
