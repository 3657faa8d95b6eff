/** What is said in a video, line by line. */
import { z } from 'zod'
import { Language } from '../sources/subtitles.ts'

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

/** Of how many videos captions are fetched, and of how many the site has been asked for them. */
export type CaptionProgress = { videos: number; asked: number }

/** What is said without its lines. `is_read`: false while its subtitles wait for the worker that reads them. */
export type TranscriptAbout = Pick<Transcript, 'language' | 'automatic'> & { is_read: boolean }
