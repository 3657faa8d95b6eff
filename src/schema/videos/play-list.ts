/** The list through which a person watches: the address of a video names it, so that the next one is of the same list. */
import { z } from 'zod'

/** `group:` and the id of a group. `continue`: Continue watching. An unknown list counts as none. */
export const PlayList = z
  .string()
  .regex(/^(?:new|later|continue|group:[\da-f-]{36})$/)
  .optional()
  .catch(undefined)
export type PlayList = z.infer<typeof PlayList>
