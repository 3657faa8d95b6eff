/** What the JSON API takes and gives. The same schemas validate requests and make the OpenAPI document. */
import { z } from 'zod'
import { Channel, ChannelOrder } from './channel.ts'
import { Discovered } from './discovery.ts'
import { Download, DownloadStatus, Sort, Standing, Tally } from './download.ts'
import { FeedEntry, Saved } from './feed.ts'
import { Quality, Settings } from './quality.ts'
import { Video } from './video.ts'

/** As a person gives it; whether it is an address, and of what, is found out by asking it. */
export const Address = z.string().trim().min(1, 'Paste an address.').max(2048, 'This address is too long.')

/** An empty field of a form counts as not given; the sentence tells what would fit. */
const optional = <T extends z.ZodType>(schema: T, sentence: string) =>
  z.union([z.literal('').transform(() => undefined), schema], sentence).optional()

export const TrackRequest = z.object({ url: Address })
export const DiscoverQuery = z.object({ url: Address })
export const FeedRequest = z.object({ rss_url: Address, save: z.boolean().default(true) })
const video_ids = z
  .array(z.string().min(1).max(200))
  .min(1, 'Name at least one video.')
  .max(500, 'Name at most 500 videos.')
export const BatchRequest = z.object({ video_ids })

/** Everything that waits, or every failure that nobody has done anything about. */
export const AllOf = z.enum(['waiting', 'failed'])
export type AllOf = z.infer<typeof AllOf>
export const CancelRequest = z.union(
  [z.object({ video_ids }), z.object({ all: AllOf })],
  'Name video_ids, or say all: "waiting" or "failed".',
)

/** Which videos, and which page of them. */
export const HistoryQuery = z.object({
  limit: optional(z.coerce.number().int().min(1).max(200), 'Use a whole number from 1 to 200.').transform(
    limit => limit ?? 50,
  ),
  cursor: optional(z.string().max(200), 'Use the next_cursor of the page before.'),
  status: optional(DownloadStatus, `Use one of ${DownloadStatus.options.join(', ')}.`),
  q: optional(z.string().trim().max(200), 'Search for at most 200 characters.'),
  seen: optional(
    z.enum(['true', 'false']).transform(seen => seen === 'true'),
    'Use true or false.',
  ),
})

/** Nothing that is typed is an error; what is longer than any search is cut. */
export const SearchQuery = z.object({
  q: z
    .string()
    .default('')
    .transform(typed => typed.trim().slice(0, 200).toWellFormed()),
  limit: optional(z.coerce.number().int().min(1).max(100), 'Use a whole number from 1 to 100.').transform(
    limit => limit ?? 24,
  ),
  cursor: optional(z.string().max(200), 'Use the next_cursor of the page before.'),
})

/** Which of the followed channels, and how they stand; what does not fit says nothing. */
export const ChannelsQuery = z.object({
  q: z
    .string()
    .default('')
    .transform(typed => typed.trim().slice(0, 200)),
  order: ChannelOrder.catch('title'),
  cursor: z.coerce.number().int().min(0).catch(0),
})

/** `video_id`, as often as needed. */
export const StatusQuery = z.object({ video_id: listOf(500) })

/** What a page asks once a second: what it shows of each video already, and what it shows beside them. */
export const PollQuery = StatusQuery.extend({
  /** A short hash of the cell of each `video_id`, in the same order. */
  known: listOf(500),
  /** The figures of the downloads page; absent on every other page. */
  tally: z.string().max(100).optional(),
  ...shelfAsked(),
})

/** One shelf of the downloads page, or the beginning of all four. */
export const ShelfQuery = z.object(shelfAsked())
export type ShelfQuery = z.infer<typeof ShelfQuery>
export const DownloadsQuery = z.object({
  standing: Standing.default('done'),
  sort: Sort.default('newest'),
  limit: HistoryQuery.shape.limit,
  cursor: HistoryQuery.shape.cursor,
})

/** Boxes of the downloads page; `all` instead of them. `chosen`: only those with a tick are meant. */
export const ChosenForm = z.object({
  video_id: listOf(500),
  all: AllOf.optional(),
  chosen: z.string().optional(),
  confirmed: z.string().optional(),
})

/** `null`: as chosen for everything else. */
export const ChannelQuality = z.object({ quality: Quality.nullable() })
export const ChannelQualityForm = z.object({ quality: optional(Quality, 'Choose one of the list.') })

export const Tracked = Channel.extend({ saved: Saved })
export const Refreshed = z.object({ channel: Channel, saved: Saved, skipped: z.number().int() })
export type Refreshed = z.infer<typeof Refreshed>
export const Channels = z.object({ channels: z.array(Channel) })
export const FeedShown = z.object({
  /** All that is known of it, once it is saved. */
  channel: Channel.partial().required({ channel_id: true, title: true, rss_url: true }),
  entries: z.array(
    FeedEntry.omit({ aliases: true }).extend({
      channel_id: z.string(),
      ...Download.pick({ download_status: true, file_size: true }).shape,
    }),
  ),
  saved: Saved.nullable(),
  skipped: z.number().int(),
})
export type FeedShown = z.infer<typeof FeedShown>
export const Videos = z.object({ entries: z.array(Video), next_cursor: z.string().nullable() })

const count = z.number().int()
/** `counts`: how many of the channel's are in each state, of those that fit `q` and `seen`. */
export const History = Videos.extend({
  counts: z.object({ pending: count, downloading: count, completed: count, failed: count }),
})
/** In the order of their last playing. */
export const Unfinished = z.object({ entries: z.array(Video) })
const resultFor = <const Results extends readonly string[]>(results: Results) =>
  z.object({ video_id: z.string(), result: z.enum(results) })

export const Requested = resultFor(['queued', 'already_queued', 'already_completed', 'not_found'])
export type Requested = z.infer<typeof Requested>
export const BatchResult = z.object({ results: z.array(Requested) })

export const Cancelled = resultFor(['cancelled', 'not_waiting', 'not_found'])
export type Cancelled = z.infer<typeof Cancelled>
export const CancelResult = z.object({ results: z.array(Cancelled) })

export const Removed = resultFor(['removed', 'not_on_disk', 'not_found'])
export type Removed = z.infer<typeof Removed>
export const RemoveResult = z.object({ results: z.array(Removed) })

export const DownloadsShown = z.object({
  entries: z.array(Video),
  next_cursor: z.string().nullable(),
  /** Over all pages. */
  tally: Tally,
})
export type DownloadsShown = z.infer<typeof DownloadsShown>
export const Statuses = z.object({ statuses: z.array(Download) })
export { Channel, Discovered, Download as Status, Settings, Video }

/** RFC 9457. */
export const Problem = z.object({
  type: z.string().describe('Always `about:blank`: the status says what kind it is.'),
  title: z.string().describe('The kind, in a few words.'),
  status: z.number().int().describe('The status of the answer.'),
  detail: z.string().describe('A sentence for people: what is wrong, and what to do.'),
  errors: z
    .record(z.string(), z.string())
    .optional()
    .describe('A sentence for each field that does not fit; `video_ids.0` is the first item of a list.'),
})
export type Problem = z.infer<typeof Problem>

/** What does not fit is left out: an old link still shows the page. */
function shelfAsked() {
  return {
    show: Standing.optional().catch(undefined),
    sort: Sort.catch('newest').default('newest'),
    cursor: z.string().max(200).optional(),
  }
}

/** A query names a parameter once or many times; both are a list. */
function listOf(most: number) {
  const many = z.array(z.string().max(200)).max(most, `Ask for at most ${most}.`)
  return z
    .union([z.string(), z.array(z.string())])
    .optional()
    .transform(given => [given ?? []].flat())
    .pipe(many)
}
