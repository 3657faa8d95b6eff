/** The query of the page New, and the filter that a person's settings remember for it. */
import { z } from 'zod'
import { GroupId } from '../values/ids.ts'
import { VideosQuery } from './video-api.ts'

/** As in the address, so that a link, the settings and the page have one form. An absent field excludes nothing, nor does an invalid one. */
export const NewFilter = z.object({
  seen: z.enum(['true', 'false']).optional().catch(undefined),
  on_disk: z.literal('true').optional().catch(undefined),
  /** Without Shorts. */
  shorts: z.literal('false').optional().catch(undefined),
  length: z.enum(['short', 'medium', 'long']).optional().catch(undefined),
  live: z.enum(['true', 'false']).optional().catch(undefined),
  group: GroupId.optional().catch(undefined),
})
export type NewFilter = z.infer<typeof NewFilter>

/** Inclusive bounds in seconds. */
export const bounds_of_length: Record<
  NonNullable<NewFilter['length']>,
  { min_seconds?: number; max_seconds?: number }
> = {
  short: { max_seconds: 5 * 60 - 1 },
  medium: { min_seconds: 5 * 60, max_seconds: 20 * 60 },
  long: { min_seconds: 20 * 60 + 1 },
}

/**
 * `show=all`: forget the remembered filter. `with=remembered`: it stays, but for its group, which is the one given here or none. `later`: only the videos on Watch later. `dismissed`: only those that are hidden otherwise.
 * `select`: cards have checkboxes. `day`, `fresh`: of the last video of the page before, which this one continues.
 */
export const NewPageQuery = VideosQuery.extend({
  ...NewFilter.shape,
  show: z.literal('all').optional().catch(undefined),
  with: z.literal('remembered').optional().catch(undefined),
  later: z.literal('true').optional().catch(undefined),
  dismissed: z.literal('true').optional().catch(undefined),
  select: z.literal('1').optional().catch(undefined),
  day: z.iso.date().optional().catch(undefined),
  fresh: z.literal('yes').optional().catch(undefined),
})
export type NewPageQuery = z.infer<typeof NewPageQuery>

/** What the page shows: the filter, and the lists and the month that are never remembered. */
export type ShownFilter = NewFilter & Pick<NewPageQuery, 'later' | 'dismissed' | 'month' | 'select'>
