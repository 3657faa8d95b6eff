/** A message about what was just done, and how to take it back. */
import { z } from 'zod'
import { Undo } from './undo.ts'

export const Flash = z.object({
  kind: z.enum(['done', 'problem']),
  text: z.string().max(1000),
  undo: Undo.optional(),
})
export type Flash = z.infer<typeof Flash>
