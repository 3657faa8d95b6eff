/** What the API takes and answers about channels. A field is described here, or in the schema that it is taken from. */
import { z } from 'zod'
import { Download } from '../downloads/download.ts'
import type { FoundFeed, NamedChannel } from '../sources/discovery.ts'
import { FeedEntry, Saved } from '../sources/feed.ts'
import { ChannelId } from '../values/ids.ts'
import { Address, trueOrFalse } from '../values/parameters.ts'
import { Channel } from './channel.ts'

export const url = Address.meta({
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

export const DiscoverQuery = z.object({ url })

export const FeedRequest = z.object({
  rss_url: Address.describe('The address of the feed.'),
  save: z.boolean().default(true).describe('`false`: only show the entries, and do not follow the channel.'),
})

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

/** `tried`: which sites could not be asked, as sentences. */
export type FoundByName = {
  channels: (NamedChannel & { feed: FoundFeed; followed: Channel | undefined })[]
  tried: string[]
}
