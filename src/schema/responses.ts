/**
 * The responses of the JSON API. The OpenAPI document and the types of the domain's results derive from them. A field is
 * described here, or in the schema that it is taken from.
 */
import { z } from 'zod'
import { Channel } from './channel.ts'
import { Download, Tally } from './download.ts'
import { FeedEntry, Saved } from './feed.ts'
import { ChannelId, VideoId } from './ids.ts'
import { Video } from './video.ts'

const next_cursor = z.string().nullable().describe('The `cursor` of the next page; null: this is the last page.')

const saved = Saved.describe('How many entries the fetch changed.')
const skipped = z.number().int().describe('How many entries of the feed could not be read.')

export const Followed = Channel.extend({ saved })
export const Refreshed = z.object({ channel: Channel.describe('The channel after the refresh.'), saved, skipped })
export type Refreshed = z.infer<typeof Refreshed>
export const Channels = z.object({ channels: z.array(Channel) })

export const FeedShown = z.object({
  channel: Channel.partial()
    .required({ channel_id: true, title: true, rss_url: true })
    .describe('All fields once the channel is followed; else its id, title and feed.'),
  entries: z.array(
    FeedEntry.omit({ aliases: true }).extend({
      channel_id: ChannelId,
      ...Download.pick({ download_status: true, file_size: true }).shape,
    }),
  ),
  saved: Saved.nullable().describe('How many entries were saved; null: `save` was false.'),
  skipped,
})
export type FeedShown = z.infer<typeof FeedShown>

export const Videos = z.object({ entries: z.array(Video), next_cursor })

const count = z.number().int().describe('How many videos have this status.')
export const History = Videos.extend({
  counts: z
    .object({ pending: count, downloading: count, completed: count, failed: count })
    .describe('How many videos of the channel have each status and match `q` and `seen`, on all pages.'),
})
export const Unfinished = z.object({ entries: z.array(Video) })

const resultFor = <const Results extends readonly string[]>(results: Results) =>
  z.object({ video_id: VideoId, result: z.enum(results).describe('What happened to the video.') })

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
  next_cursor,
  tally: Tally.describe('The number of downloads on each shelf, on all pages.'),
})
export type DownloadsShown = z.infer<typeof DownloadsShown>
export const Statuses = z.object({ statuses: z.array(Download) })

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
