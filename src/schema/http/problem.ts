/** The answer of the JSON API to a request that fails. */
import { z } from 'zod'

/** RFC 9457. */
export const Problem = z
  .object({
    type: z.string().describe('Always `about:blank`: `status` and `title` say which error it is.'),
    title: z.string().describe('The status in words.'),
    status: z.number().int().describe('The HTTP status.'),
    detail: z.string().describe('A sentence for people: what is wrong and what to do.'),
    errors: z
      .record(z.string(), z.string())
      .optional()
      .describe('One sentence for each invalid field; `video_ids.0` is the first item of a list.'),
  })
  .meta({ id: 'Problem' })
export type Problem = z.infer<typeof Problem>
