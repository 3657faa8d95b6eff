/** A channel that somebody follows. */
import { z } from 'zod'
import { WebUrl } from './feed.ts'
import { Quality } from './quality.ts'

export const Channel = z.object({
  channel_id: z.string(),
  title: z.string(),
  rss_url: WebUrl,
  /** The picture that its feed names; `null`: none. */
  image_url: WebUrl.nullable(),
  /** `null`: not fetched yet. */
  last_fetched_at: z.date().nullable(),
  /** When it is fetched next by itself; `null`: not planned, or not yet. */
  next_fetch_at: z.date().nullable(),
  /** Why the last fetch failed; `null`: it did not. */
  fetch_error: z.string().nullable(),
  /** The first failure since it last worked; `null`: it works. */
  failing_since: z.date().nullable(),
  /** Of its downloads; `null`: whatever its owner chose for all. */
  quality: Quality.nullable(),
  /** How many entries the last visit could not read. */
  skipped: z.number().int(),
  /** What is wrong with the feed though it was read, in a sentence; `null`: nothing. */
  feed_warning: z.string().nullable(),
  entry_count: z.number().int(),
})
export type Channel = z.infer<typeof Channel>

export const ChannelOrder = z.enum(['title', 'videos', 'failing'])
export type ChannelOrder = z.infer<typeof ChannelOrder>

/** One page of what somebody follows. */
export type ChannelList = {
  /** Of those whose title has `q`. */
  channels: Channel[]
  /** All of them, and those that fail, whatever was asked for. */
  followed: number
  failing: number
  q: string
  order: ChannelOrder
  next_cursor: string | null
}
