/** The orders of a list of videos, and the months in which it can begin. */
import { z } from 'zod'
import { optional } from '../values/parameters.ts'

/** By the date at which it was published, the length, or the size of the file. */
export const VideoSort = z.enum(['newest', 'oldest', 'longest', 'shortest', 'largest'])
export type VideoSort = z.infer<typeof VideoSort>

/** "2025-04", or "2025" for the whole year. */
export const Month = z.string().regex(/^(19|2\d)\d\d(-(0[1-9]|1[0-2]))?$/)

export const MonthOfVideos = z.object({
  month: Month.describe('Like `2025-04`, in UTC.'),
  count: z.number().int().describe('How many videos were published in it.'),
})
export type MonthOfVideos = z.infer<typeof MonthOfVideos>

/** The parameters of every list of videos. */
export const video_order = {
  sort: optional(VideoSort, `Use one of ${VideoSort.options.join(', ')}.`)
    .transform(sort => sort ?? 'newest')
    .meta({ description: 'The order; `newest` if absent. Videos without that value come last.', examples: ['newest'] }),
  month: optional(Month, 'Use a month like 2025-04, or a year.').meta({
    description:
      'Begin with the videos of this month or year, in UTC, and go on with older ones (or newer ones with `oldest`). With an order by length or size: only the videos of it.',
    examples: ['2025-04'],
  }),
}
