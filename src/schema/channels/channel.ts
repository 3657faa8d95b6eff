/** A channel that a person follows, or has single videos of, and the loading of its older videos. */
import { z } from 'zod'
import { QualityOfChannel } from '../downloads/quality.ts'
import { WebUrl } from '../sources/feed.ts'
import { ChannelId, GroupId } from '../values/fields.ts'
import { PictureUrl } from '../values/picture.ts'

export const Channel = z
  .object({
    channel_id: ChannelId,
    title: z.string().describe('The title in the feed.'),
    followed: z
      .boolean()
      .describe(
        'Whether new videos are looked for; `false`: the channel has only videos that you added by their address.',
      ),
    rss_url: WebUrl.nullable().describe('The address of the feed; null: unknown, and the channel is not followed.'),
    page_url: WebUrl.nullable().describe('The page of the channel on its site; null: unknown.'),
    image_url: WebUrl.nullable().describe('The address of the picture of the channel on its site; null: unknown.'),
    picture_url: PictureUrl,
    last_fetched_at: z.date().nullable().describe('The last successful fetch; null: none yet.'),
    next_fetch_at: z.date().nullable().describe('When the feed is fetched next; null: not planned yet.'),
    fetch_error: z.string().nullable().describe('Why the last fetch failed, as a sentence; null: it succeeded.'),
    failing_since: z.date().nullable().describe('The first failed fetch since the last success; null: not failing.'),
    listed_at: z
      .date()
      .nullable()
      .describe(
        'When new videos were last taken from the page of the channel, because the feed fails; null: they are not.',
      ),
    quality: QualityOfChannel,
    group_ids: z.array(GroupId).describe('The groups that it is in.'),
    bell: z.boolean().describe('Whether you are notified of its new videos.'),
    skipped: z.int().describe('How many entries the last fetch could not read.'),
    feed_warning: z
      .string()
      .nullable()
      .describe('What is wrong with the feed, although it could be read, as a sentence; null: nothing.'),
    entry_count: z.int().describe('How many videos ever appeared in the channel.'),
  })
  .meta({ id: 'Channel' })
export type Channel = z.infer<typeof Channel>

/** The `fetch_error` of a feed that its site no longer has. */
export const notFoundWords = (status: number): string => `Not found (${status}). Check the link.`

export const ChannelOrder = z.enum(['title', 'newest', 'unwatched', 'size', 'failing'])
export type ChannelOrder = z.infer<typeof ChannelOrder>

/** What the list of channels says about a channel. `next_fetch_at`: only if the last fetch failed. */
export type ListedChannel = Omit<
  Channel,
  'rss_url' | 'page_url' | 'quality' | 'group_ids' | 'bell' | 'skipped' | 'entry_count'
> & {
  /** How many of its videos are neither watched nor dismissed, without older ones that were loaded. */
  unwatched: number
  /** How much disk space its files take. */
  on_disk_bytes: number
  /** Whether the rule of the channel is on. */
  auto_download: boolean
  /** The title of its newest video; null: the channel has no videos. */
  newest_title: string | null
  newest_at: Date | null
}

/** What is deleted when these channels are unfollowed. `only_copies`: how many of the files could not be downloaded again. */
export type Holdings = {
  channels: { channel_id: string; title: string; entry_count: number }[]
  files: number
  bytes: number
  only_copies: number
}

/** One page of the channels that are followed, or of the others. */
export type ChannelList = {
  /** Channels whose title contains `q`. */
  channels: ListedChannel[]
  /** Which channels. The others have only videos that the person added by their address. */
  of: 'followed' | 'unfollowed'
  /** How many channels are followed, how many of them fail, and how many are not followed, whatever `q` is. */
  followed: number
  failing: number
  unfollowed: number
  q: string
  order: ChannelOrder
  next_cursor: string | null
}

const BackfillState = z.enum(['never', 'queued', 'running', 'done', 'incomplete', 'failed', 'cancelled'])

/** Loading the older videos of a channel: how far it is, and how it ended. */
export const Backfill = z
  .object({
    state: BackfillState.describe(
      '`never`: not requested yet. `queued`: for a worker, or for the next attempt; `error` then says why. `running`: a worker reads the list. `done`: the whole list was read. `incomplete`: only a part was read. `failed`: nothing could be read. `cancelled`: you stopped it.',
    ),
    found: z.int().describe('How many videos of the list were read so far, known ones included.'),
    saved: z.int().describe('How many of them are new in your list.'),
    started_at: z.date().nullable().describe('When a worker began to read the list; null: not yet.'),
    finished_at: z.date().nullable().describe('When it ended; null: it has not ended.'),
    error: z
      .string()
      .nullable()
      .describe('Why it is incomplete, has failed, or waits for another attempt, as a sentence; null: no reason.'),
  })
  .meta({ id: 'Backfill' })
export type Backfill = z.infer<typeof Backfill>

/** With what only pages show. `next_attempt_at`: when a worker tries again; null: as soon as one is free, or never. */
export type ShownBackfill = Backfill & { next_attempt_at: Date | null }

export const isUnfinished = ({ state }: Pick<Backfill, 'state'>): boolean => state === 'queued' || state === 'running'

/** How many videos are known while older ones can be loaded; undefined: they were loaded, or the channel is not followed. */
export const knownSoFar = (
  { followed, entry_count }: Channel,
  { state }: Pick<Backfill, 'state'>,
): number | undefined => (followed && state !== 'done' ? entry_count : undefined)
