/** Saves feeds of channels. Every save also applies the channel's rule, so this is the only file that may save them. */
import type { FeedFetchState } from '../../db/library/fetch-state.ts'
import type { Library } from '../../db/library/library.ts'
import type { Feed, ReadFeed } from '../../schema/feed.ts'
import { applyRule } from './rules.ts'

type Channels = Library['channels']

/** Follows the channel of a feed that was found; updates a channel that is followed already. Throws like `channels.save`. */
export async function saveFeed(library: Library, { rss_url, feed }: ReadFeed): ReturnType<Channels['save']> {
  const { channel_id, title, image_url, skipped, warning, entries } = feed
  const saved = await library.channels.save({ channel_id, title, rss_url, image_url, skipped, warning }, entries)
  await applyRule(library, channel_id)
  return saved
}

/** Saves the new state of a followed channel's feed. `undefined`: the person has unfollowed it, or switched to another feed. */
export async function updateFeed(
  library: Library,
  channel_id: string,
  feed: Feed,
  state?: FeedFetchState,
): ReturnType<Channels['update']> {
  const updated = await library.channels.update(channel_id, feed, state)
  await applyRule(library, channel_id)
  return updated
}
