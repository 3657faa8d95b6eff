/** Shows a person which channel an address leads to, before they follow it. Saves nothing. */
import type { Library } from '../../db/library/library.ts'
import type { Channel } from '../../schema/channel.ts'
import type { FeedEntry } from '../../schema/feed.ts'
import type { Discover, Discovery } from './discovery.ts'

/** `followed`: the channel, if it is followed already, by any of its feeds. `newest`: a few of its videos. */
export type Preview = { discovery: Discovery; followed: Channel | undefined; newest: FeedEntry[] }

const shown_videos = 4

export async function previewChannel(library: Library, discover: Discover, address: string): Promise<Preview> {
  const discovery = await discover(address, library.user_id)
  if (!('best' in discovery)) return { discovery, followed: undefined, newest: [] }
  const { channel_id, entries } = discovery.best.feed
  // A playlist is not sorted by date.
  const newest = entries.toSorted((a, b) => (b.published_at?.getTime() ?? 0) - (a.published_at?.getTime() ?? 0))
  return { discovery, followed: await library.channels.find(channel_id), newest: newest.slice(0, shown_videos) }
}
