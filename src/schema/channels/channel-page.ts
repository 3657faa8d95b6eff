/** The queries of the page of a channel and of its months. */
import { z } from 'zod'
import { ListView } from '../account/sign-in.ts'
import { VideosQuery } from '../videos/video-api.ts'
import { VideoSort } from '../videos/video-order.ts'

/** `select`: videos have checkboxes. `view`: chosen just now; otherwise the cookie says it. Invalid values are ignored. */
export const ChannelPageQuery = VideosQuery.extend({
  select: z.literal('1').optional().catch(undefined),
  view: ListView.optional().catch(undefined),
})

export const MonthsQuery = z.object({ sort: VideoSort.catch('newest') })
