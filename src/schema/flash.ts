/** A message about the last action, with a way to undo it. */
import { z } from 'zod'
import { Undo } from './undo.ts'

export const Flash = z.object({
  kind: z.enum(['done', 'problem']),
  text: z.string().max(1000),
  undo: Undo.optional(),
})
export type Flash = z.infer<typeof Flash>
