/** What is known of a video that is watched while it is downloaded. The worker writes it, and the web process reads it. */
import { z } from 'zod'

export const ArrivingNote = z.object({
  /** Of the whole video; `null`: unknown. */
  duration_s: z.number().positive().max(1e6).nullable().catch(null),
  /** It can be played only when it is complete. */
  is_whole_only: z.boolean(),
  /** Every part of it has arrived; only its file is not finished. */
  has_all: z.boolean().optional(),
  /** The disk has no room for the file and its segments. */
  lacks_room: z.boolean().optional(),
  /** When the download is expected to be complete, in milliseconds since 1970; `null`: unknown. */
  ends_at: z.number().nullable().catch(null),
})
export type ArrivingNote = z.infer<typeof ArrivingNote>
