/** A message about the last action, with a way to undo it. */
import { z } from 'zod'
import { Undo } from './undo.ts'

export const Flash = z.object({
  kind: z.enum(['done', 'problem']),
  text: z.string().max(1000),
  undo: Undo.optional(),
  /** The channel that is followed now. `has_choice`: it has other feeds, such as videos without Shorts. */
  followed: z.object({ channel_id: z.string().min(1).max(500), has_choice: z.boolean() }).optional(),
})
export type Flash = z.infer<typeof Flash>
