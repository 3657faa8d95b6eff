/**
 * What the API and the pages take and answer about videos: lists, their orders, the filters of New, and the shelves of downloads. Fields
 * that are not described here are described in the schema they are taken from.
 */
import { z } from 'zod'
import { DownloadStatus, type Standing, Tally } from '../downloads/download.ts'
import type { ShelfQuery } from '../downloads/download-api.ts'
import { max_video_seconds } from '../sources/facts.ts'
import { Address, cursor, GroupId, limit, listOf, next_cursor, optional, trueOrFalse } from '../values/fields.ts'
import { type Page, Video } from './video.ts'

/** By the date at which it was published, the length, or the size of the file. */
export const VideoSort = z.enum(['newest', 'oldest', 'longest', 'shortest', 'largest'])
export type VideoSort = z.infer<typeof VideoSort>

/** "2025-04", or "2025" for the whole year. */
const Month = z.string().regex(/^(19|2\d)\d\d(-(0[1-9]|1[0-2]))?$/)

export const MonthOfVideos = z.object({
  month: Month.describe('Like `2025-04`, in UTC.'),
  count: z.int().describe('How many videos were published in it.'),
})
export type MonthOfVideos = z.infer<typeof MonthOfVideos>

/** The parameters of every list of videos. */
const video_order = {
  sort: optional(VideoSort, `Use one of ${VideoSort.options.join(', ')}.`)
    .transform(sort => sort ?? 'newest')
    .meta({ description: 'The order; `newest` if absent. Videos without that value come last.', examples: ['newest'] }),
  month: optional(Month, 'Use a month like 2025-04, or a year.').meta({
    description:
      'Begin with the videos of this month or year, in UTC, and go on with older ones (or newer ones with `oldest`). With an order by length or size: only the videos of it.',
    examples: ['2025-04'],
  }),
}

const video_address = Address.meta({
  description: 'The address of a video: its page, or the file.',
  examples: ['https://www.youtube.com/watch?v=aqz-KE-bpKQ'],
})

export const AddVideoRequest = z.object({
  url: video_address,
  download: z.boolean().default(false).describe('Whether to download it at once.'),
})

/** `download`: the button that was pressed; absent: the other one. */
export const AddVideoForm = z.object({ url: video_address, download: z.string().optional() })

export const VideosQuery = z.object({
  limit,
  cursor,
  status: optional(DownloadStatus, `Use one of ${DownloadStatus.options.join(', ')}.`).meta({
    description: 'Only videos with this download status.',
    examples: ['completed'],
  }),
  q: optional(z.string().trim().max(200), 'Search for at most 200 characters.').meta({
    description: 'Only videos whose title or description contains these words, ignoring case.',
    examples: ['bread'],
  }),
  seen: trueOrFalse('`true`: only watched videos; `false`: only unwatched ones.', 'false'),
  ...video_order,
})

/** The videos and channels of a page whose pictures it misses. */
export const PicturesQuery = z.object({ video_id: listOf(200), channel_id: listOf(200) })

export const Videos = z.object({ entries: z.array(Video), next_cursor })

const count = z.int().describe('How many videos have this status.')

export const History = Videos.extend({
  counts: z
    .object({ pending: count, downloading: count, completed: count, failed: count })
    .describe('How many videos of the channel have each status and match `q` and `seen`, on all pages.'),
})

export const Unfinished = z.object({ entries: z.array(Video) })

const seconds = (description: string, example: number) =>
  optional(z.coerce.number().int().min(0).max(max_video_seconds), 'Use a whole number of seconds.').meta({
    description,
    examples: [example],
  })

/** The query of `GET /api/videos`. */
export const NewestQuery = VideosQuery.extend({
  group: optional(GroupId, 'Use the group_id of one of your groups.').meta({
    description: 'Only videos of the channels in this group.',
  }),
  on_disk: trueOrFalse('`true`: only videos on disk; `false`: only the others.', 'true'),
  watched: trueOrFalse('The same as `seen`.', 'false'),
  later: trueOrFalse('`true`: only videos on Watch later; `false`: only the others.', 'true'),
  dismissed: trueOrFalse('`true`: only hidden videos; `false`: only the others.', 'false'),
  min_seconds: seconds('Only videos of at least this length. Those of unknown length are left out.', 300),
  max_seconds: seconds('Only videos of at most this length. Those of unknown length are left out.', 1200),
  live: trueOrFalse('`true`: only live streams, announced ones and their recordings; `false`: none of them.', 'false'),
})

/**
 * The part of the filter of New that a person's settings remember. It is written as in the address, so that a link, the settings and the
 * page have one form. A field that is absent or invalid excludes nothing.
 */
export const NewFilter = z.object({
  /** Without watched videos. */
  seen: z.literal('false').optional().catch(undefined),
  /** Without Shorts. */
  shorts: z.literal('false').optional().catch(undefined),
  group: GroupId.optional().catch(undefined),
})
export type NewFilter = z.infer<typeof NewFilter>

/** The fields of a filter that are remembered, as far as they are given. */
export const lastingOf = (filter: object): NewFilter =>
  Object.fromEntries(Object.entries(NewFilter.parse(filter)).filter(([, limit]) => limit !== undefined))

/** Inclusive bounds in seconds. */
export const bounds_of_length: Record<
  NonNullable<NewPageQuery['length']>,
  { min_seconds?: number; max_seconds?: number }
> = {
  short: { max_seconds: 5 * 60 - 1 },
  medium: { min_seconds: 5 * 60, max_seconds: 20 * 60 },
  long: { min_seconds: 20 * 60 + 1 },
}

/**
 * `show=all`: forget the remembered filter. `with=remembered`: it stays, but for its group, which is the one given here or none. `later`:
 * only the videos on Watch later. `dismissed`: only those that are hidden otherwise. `select`: cards have checkboxes. `day`, `fresh`: of
 * the last video of the page before, which this one continues.
 */
export const NewPageQuery = VideosQuery.extend({
  ...NewFilter.shape,
  seen: z.enum(['true', 'false']).optional().catch(undefined),
  on_disk: z.literal('true').optional().catch(undefined),
  length: z.enum(['short', 'medium', 'long']).optional().catch(undefined),
  live: z.enum(['true', 'false']).optional().catch(undefined),
  show: z.literal('all').optional().catch(undefined),
  with: z.literal('remembered').optional().catch(undefined),
  later: z.literal('true').optional().catch(undefined),
  dismissed: z.literal('true').optional().catch(undefined),
  select: z.literal('1').optional().catch(undefined),
  day: z.iso.date().optional().catch(undefined),
  fresh: z.literal('yes').optional().catch(undefined),
})
export type NewPageQuery = z.infer<typeof NewPageQuery>

/** What the page shows: what is remembered, and what only the address says. */
export type ShownFilter = Pick<
  NewPageQuery,
  'seen' | 'shorts' | 'group' | 'on_disk' | 'length' | 'live' | 'later' | 'dismissed' | 'month' | 'select'
>

/** A site that keeps downloads waiting. `host`: empty for all sites, which only the person can pause. */
export type SiteNotice = {
  host: string
  waiting: number
  /** When the person paused it; `null`: it runs. */
  paused_at: Date | null
  /** Until when it gets no requests, because it asked for that; `null`: it did not. */
  rests_until: Date | null
  /** Until when a rule waits, because its last downloads from there failed; `null`: it does not. */
  held_until: Date | null
}

/** The content of the downloads page: the beginning of all shelves, or one page of one shelf. */
export type Overview = {
  query: ShelfQuery
  tally: Tally
  shelves: Record<Standing, Page<Video>>
  notices: SiteNotice[]
  /** The limit for all files of the person; `null`: no quota. */
  quota_bytes: number | null
  /** When the hours begin for which downloads wait now; `null`: they wait for none. */
  hours_begin_at: Date | null
}

export const DownloadsShown = z.object({
  entries: z.array(Video),
  next_cursor,
  tally: Tally.describe('The number of downloads on each shelf, on all pages.'),
})

export type DownloadsShown = z.infer<typeof DownloadsShown>
