/** A chapter of a video, as its site names it. It lasts until the next one. */
import { z } from 'zod'

export const Chapter = z.object({ start_seconds: z.number().nonnegative(), title: z.string().max(200) })
export type Chapter = z.infer<typeof Chapter>
