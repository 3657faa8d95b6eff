/**
 * What the API and the pages take and answer about channels. Fields that are not described here are described in the schema they are taken
 * from.
 */
import { z } from 'zod'
import { Download, type StatusCounts } from '../downloads/download.ts'
import type { FoundFeed, NamedChannel } from '../sources/discovery.ts'
import { FeedEntry, Saved } from '../sources/feed.ts'
import { Address, ChannelId, isChecked, listOf, trueOrFalse } from '../values/fields.ts'
import type { ListedVideo, Page } from '../videos/video.ts'
import { VideoSort, VideosQuery } from '../videos/video-api.ts'
import { Channel, ChannelOrder, type ShownBackfill } from './channel.ts'

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

export const FollowForm = z.object({
  url,
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

export const DiscoverQuery = z.object({ url })

export const FeedRequest = z.object({
  rss_url: Address.describe('The address of the feed.'),
  save: z.boolean().default(true).describe('`false`: only show the entries, and do not follow the channel.'),
})

const saved = Saved.describe('How many entries the fetch changed.')

const skipped = z.int().describe('How many entries of the feed could not be read.')

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

/** `tried`: which sites could not be asked, as sentences. */
export type FoundByName = {
  channels: (NamedChannel & { feed: FoundFeed; followed: Channel | undefined })[]
  tried: string[]
}

/** How a channel shows its videos. */
export const ListView = z.enum(['list', 'grid'])
export type ListView = z.infer<typeof ListView>

/**
 * The query of the page of a channel. `select`: videos have checkboxes. `view`: chosen just now; otherwise the cookie says it. Invalid
 * values are ignored.
 */
export const ChannelPageQuery = VideosQuery.extend({
  select: z.literal('1').optional().catch(undefined),
  view: ListView.optional().catch(undefined),
})
export type ChannelPageQuery = z.infer<typeof ChannelPageQuery>

/**
 * What the page of a channel shows of it. `added`: how many of its videos the person added by their address; they stay when the channel is
 * unfollowed. `only_copies`: how many files would be deleted with it and could not be downloaded again.
 */
export type ShownChannel = {
  channel: Channel
  backfill: ShownBackfill
  videos: Page<ListedVideo>
  counts: StatusCounts
  added: number
  only_copies: number
}

export const MonthsQuery = z.object({ sort: VideoSort.catch('newest') })

/** The query of the channels page. Values that are not valid are ignored. */
export const ChannelsQuery = z.object({
  q: z
    .string()
    .default('')
    .transform(typed => typed.trim().slice(0, 200)),
  order: ChannelOrder.catch('title'),
  /** `false`: the channels with single videos. */
  followed: z.literal('false').optional().catch(undefined),
  /** Whether rows have checkboxes. */
  select: z.literal('1').optional().catch(undefined),
  cursor: z.coerce.number().int().min(0).catch(0),
})

/** The selected channels. */
export const ChosenChannelsForm = z.object({ channel_id: listOf(500), confirmed: z.string().optional() })
export const SwitchForm = ChosenChannelsForm.extend({
  on: z.enum(['true', 'false']).transform(given => given === 'true'),
})
/** A group to add the selected channels to: `group_id`, or a new one with this name. */
export const ToGroupForm = ChosenChannelsForm.extend({
  group_id: z.string().max(100).optional(),
  name: z.string().max(1000).default(''),
})

/** The switch of a bell of a channel or a group. */
export const BellForm = z.object({ bell: isChecked })
