/** The switch of a bell, as a form sends it. */
import { z } from 'zod'

/** A browser sends nothing for an empty checkbox. */
export const BellForm = z.object({
  bell: z
    .string()
    .optional()
    .transform(on => on !== undefined),
})
