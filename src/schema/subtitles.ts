/** Subtitles of a video, each in one language. */
import { z } from 'zod'

/** As the site names it, mostly a tag like `en` or `pt-BR`. Fit for a file name and a path: no dots, no slashes. */
export const Language = z
  .string()
  .max(40)
  .regex(/^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/)

/** A file in one language, not yet in its place. */
export type SubtitleFile = { language: string; file: string }
