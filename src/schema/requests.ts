/**
 * The queries and bodies that requests send to the JSON API, and some that pages send. Each field is described here for the
 * OpenAPI document. The responses are in `responses.ts`.
 */
import { z } from 'zod'
import { DownloadStatus, Sort, Standing } from './download.ts'
import { VideoId } from './ids.ts'
import { listOf, optional, trueOrFalse } from './parameters.ts'
import { Quality, QualityOfChannel } from './quality.ts'
import { SearchSort } from './search-sort.ts'
import { video_order } from './video-order.ts'

/** As a person enters it. Only a request to it shows whether it is an address, and of what. */
export const Address = z.string().trim().min(1, 'Paste an address.').max(2048, 'This address is too long.')

const url = Address.meta({
  description: 'The address of a feed or a page, or a handle, a video or a playlist.',
  examples: ['https://www.youtube.com/@blenderofficial'],
})
export const FollowRequest = z.object({
  url,
  load_older: z
    .boolean()
    .default(false)
    .describe('`true`: also load the older videos of the channel, in the background.'),
})
/** A browser sends nothing for an empty checkbox. */
export const FollowForm = z.object({
  url,
  load_older: z
    .string()
    .optional()
    .transform(on => on !== undefined),
  /** The address was chosen among those that were found, so nothing is asked again. */
  chosen: z.string().optional(),
})
export const ChannelsFilter = z.object({
  // Swagger UI sends the example, so that "Try it out" lists the followed channels.
  followed: trueOrFalse(
    '`true`, or absent: the channels that you follow. `false`: the others, of which you added single videos by their address.',
    'true',
  ),
})

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
export const DiscoverQuery = z.object({ url })
export const FeedRequest = z.object({
  rss_url: Address.describe('The address of the feed.'),
  save: z.boolean().default(true).describe('`false`: only show the entries, and do not follow the channel.'),
})

const cursor = optional(z.string().max(200), 'Use the next_cursor of the page before.').describe(
  'The `next_cursor` of the page before; absent: the first page.',
)

export const VideosQuery = z.object({
  limit: optional(z.coerce.number().int().min(1).max(200), 'Use a whole number from 1 to 200.')
    .transform(limit => limit ?? 50)
    .meta({ description: 'The largest number of results; 50 if absent.', examples: [50] }),
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

export const BinQuery = z.object({ limit: VideosQuery.shape.limit, cursor })

/** The files that were deleted together. */
export const RestoreForm = z.object({ deleted_at: z.iso.datetime().transform(at => new Date(at)) })

const search_language = [
  'Words in the title, in the description or said in the video, ignoring case and accents; also "a phrase", -excluded and or. And filters:',
  '`channel:` and `group:` with part of a name, in quotation marks if it has spaces, or an id;',
  '`before:` and `after:` with a date in UTC (2025, 2025-04, 2025-04-30) or a time ago (7d, 2w, 3m, 1y);',
  '`longer:` and `shorter:` with a length (20m, 1h30m, 90s);',
  '`on:disk`; and `is:` with watched, unwatched, started, later, dismissed, live, short, queued, downloading or failed.',
  'A minus before a filter excludes. The identifier or the address of a video finds that video alone. At most 200 characters count.',
].join(' ')

/** No text is an error: a longer one is cut. */
export const SearchQuery = z.object({
  q: z
    .string()
    .default('')
    .transform(typed => typed.trim().slice(0, 200).toWellFormed())
    .meta({
      description: search_language,
      examples: ['bread on:disk longer:20m', 'channel:"slow kitchen" -is:watched'],
    }),
  limit: optional(z.coerce.number().int().min(1).max(100), 'Use a whole number from 1 to 100.')
    .transform(limit => limit ?? 24)
    .meta({ description: 'The largest number of results; 24 if absent.', examples: [50] }),
  sort: optional(SearchSort, `Use one of ${SearchSort.options.join(', ')}.`)
    .transform(sort => sort ?? 'relevance')
    .meta({ description: 'The order; `relevance` if absent.', examples: ['newest'] }),
  cursor,
})

/** What is typed before the cursor. A space at the end ends the piece before it. */
export const SuggestionsQuery = z.object({
  q: z
    .string()
    .default('')
    .transform(typed => typed.trimStart().slice(0, 200).toWellFormed()),
})

/** `video_id` may be repeated. */
export const StatusQuery = z.object({ video_id: listOf(500).meta({ ...z.globalRegistry.get(VideoId) }) })

/** The videos and channels of a page whose pictures it misses. */
export const PicturesQuery = z.object({ video_id: listOf(200), channel_id: listOf(200) })

/** The poll of a page, once a second: the videos it shows, and what it shows of them already. */
export const PollQuery = StatusQuery.extend({
  /** A short hash of the shown cell of each `video_id`, in the same order. */
  known: listOf(500),
  /** The shown figures of the downloads page; absent on other pages. */
  tally: z.string().max(100).optional(),
  ...shelfFields(),
})

/** The query of the downloads page: one shelf, or the beginning of all four. */
export const ShelfQuery = z.object(shelfFields())
export type ShelfQuery = z.infer<typeof ShelfQuery>

export const DownloadsQuery = z.object({
  standing: Standing.default('done').meta({
    description:
      '`running`: on a worker now. `waiting`: for a worker or the next attempt. `failed`: no attempt planned. `done`: on disk.',
    examples: ['done'],
  }),
  sort: Sort.default('newest').meta({
    description: '`size`: the largest file first, for `done` only; the others have one order.',
    examples: ['size'],
  }),
  limit: VideosQuery.shape.limit,
  cursor,
})

export const ChannelQuality = z.object({ quality: QualityOfChannel })
export const ChannelQualityForm = z.object({ quality: optional(Quality, 'Choose an option from the list.') })

/** Invalid values are ignored, so that an old link still shows the page. */
function shelfFields() {
  return {
    show: Standing.optional().catch(undefined),
    sort: Sort.catch('newest').default('newest'),
    cursor: z.string().max(200).optional(),
  }
}
