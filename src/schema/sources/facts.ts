/** What a platform says about a video beside its texts: its length, whether it is live, who may watch it, and its chapters. */
import { z } from 'zod'
import type { FileStreams } from './streams.ts'

export const LiveStatus = z.enum(['none', 'upcoming', 'live', 'was_live'])
export type LiveStatus = z.infer<typeof LiveStatus>

export const Availability = z.enum(['public', 'unlisted', 'members_only', 'age_restricted', 'private', 'removed'])
export type Availability = z.infer<typeof Availability>

/**
 * How a person's video was found. `feed`: in the feed of its channel, or among the newest videos of the listing while the feed
 * fails. `listing`: when older videos were loaded; New does not show it, and no rule downloads it unless told to. `address`: a
 * person added it by its address, so it stays when its channel is unfollowed.
 */
export const Source = z.enum(['feed', 'listing', 'address'])
export type Source = z.infer<typeof Source>

/** How precise a published date is, the best first. `approximate`: the platform says only "3 weeks ago". */
export const Precision = z.enum(['exact', 'day', 'approximate'])
export type Precision = z.infer<typeof Precision>

/** The longest video in seconds that is believed: a year. Postgres stores it as an integer. */
export const max_video_seconds = 366 * 24 * 60 * 60

export const Facts = z.object({
  duration_seconds: z
    .int()
    .min(0)
    .max(max_video_seconds)
    .nullable()
    .describe('The length of the video; null: unknown.'),
  live_status: LiveStatus.nullable().describe(
    '`upcoming`: announced. `live`: live now. `was_live`: the recording of a live stream. `none`: never live. Null: unknown.',
  ),
  availability: Availability.nullable().describe('Who can watch it on its site; null: unknown.'),
  published_precision: Precision.nullable().describe(
    'How precise `published_at` is. `approximate`: it may be weeks off, or a year for old videos. Null: there is no date.',
  ),
})
export type Facts = z.infer<typeof Facts>

/** What the file of a video says itself. It counts where the site says nothing. */
export type FileFacts = Pick<Facts, 'duration_seconds'> & {
  chapters?: Chapter[] | undefined
  /** `null`: the file cannot be read. Absent: it was not read for them. */
  streams?: FileStreams | null | undefined
}

/** A chapter of a video, as its site names it. It lasts until the next one. */
export const Chapter = z.object({
  start_seconds: z.number().nonnegative().describe('Where it begins, in seconds from the start.'),
  title: z.string().max(200).describe('Its name on the site of the video.'),
})
export type Chapter = z.infer<typeof Chapter>
