/** A chapter of a video, as its site names it. It lasts until the next one. */
import { z } from 'zod'

export const Chapter = z.object({
  start_seconds: z.number().nonnegative().describe('Where it begins, in seconds from the start.'),
  title: z.string().max(200).describe('Its name on the site of the video.'),
})
export type Chapter = z.infer<typeof Chapter>
