/** The query of the page New. */
import { z } from 'zod'
import { VideosQuery } from './requests.ts'

/**
 * `on_disk`: only videos with a file. `later`: only those on Watch later. `dismissed`: only those that are hidden otherwise. `select`: cards
 * have checkboxes. `day`, `fresh`: of the last video of the page before, which this one continues. Invalid values are ignored.
 */
export const NewPageQuery = VideosQuery.extend({
  on_disk: z.literal('true').optional().catch(undefined),
  later: z.literal('true').optional().catch(undefined),
  dismissed: z.literal('true').optional().catch(undefined),
  select: z.literal('1').optional().catch(undefined),
  day: z.iso.date().optional().catch(undefined),
  fresh: z.literal('yes').optional().catch(undefined),
})
