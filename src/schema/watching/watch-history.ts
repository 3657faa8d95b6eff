/** The history: what a person has watched, the last one first. */
import { z } from 'zod'
import { next_cursor, SentTime } from '../values/fields.ts'
import { Video } from '../videos/video.ts'
import { VideosQuery } from '../videos/video-api.ts'

export const WatchedVideo = Video.extend({
  watched_at: z.date().describe('When it was last played, or marked as watched.'),
}).meta({ id: 'WatchedVideo' })
export type WatchedVideo = z.infer<typeof WatchedVideo>

export const WatchedQuery = VideosQuery.pick({ limit: true, cursor: true, q: true })

export const WatchedVideos = z.object({ entries: z.array(WatchedVideo), next_cursor })

/** `day`: of the last video of the page before, which this one continues. */
export const HistoryPageQuery = WatchedQuery.extend({ day: z.iso.date().optional().catch(undefined) })

export const ForgottenForm = z.object({ forgotten_at: SentTime })
