/** The history: what a person has watched, the last one first. */
import { z } from 'zod'
import { cursor, limit, next_cursor, optional, SentTime } from '../values/fields.ts'
import { Video } from './video.ts'

export const WatchedVideo = Video.extend({
  watched_at: z.date().describe('When it was last played, or marked as watched.'),
}).meta({ id: 'WatchedVideo' })
export type WatchedVideo = z.infer<typeof WatchedVideo>

export const WatchedQuery = z.object({
  limit,
  cursor,
  q: optional(z.string().trim().max(200), 'Search for at most 200 characters.').meta({
    description: 'Only videos whose title or description contains these words, ignoring case.',
    examples: ['bread'],
  }),
})

export const WatchedVideos = z.object({ entries: z.array(WatchedVideo), next_cursor })

/** `day`: of the last video of the page before, which this one continues. */
export const HistoryPageQuery = WatchedQuery.extend({ day: z.iso.date().optional().catch(undefined) })

export const ForgottenForm = z.object({ forgotten_at: SentTime })
