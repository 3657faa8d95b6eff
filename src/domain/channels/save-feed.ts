/** Saves feeds of channels. Every save also applies the channel's rule, so this is the only file that may save them. */
import type { VisitAt } from '../../db/library/fetch-state.ts'
import type { Library } from '../../db/library/library.ts'
import type { Feed, ReadFeed } from '../../schema/feed.ts'
import { applyRule } from './rules.ts'

type Saves = Library['channels']

/** Follows the channel of a feed that was found; updates a channel that is followed already. Throws like `channels.save`. */
export async function saveFeed(library: Library, { rss_url, feed }: ReadFeed): ReturnType<Saves['save']> {
  const { channel_id, title, image_url, skipped, warning, entries } = feed
  const saved = await library.channels.save({ channel_id, title, rss_url, image_url, skipped, warning }, entries)
  await applyRule(library, channel_id)
  return saved
}

/** Saves what the feed of a followed channel says now. `undefined`: the channel is no longer followed by this feed. */
export async function renewFeed(
  library: Library,
  channel_id: string,
  feed: Feed,
  visit?: VisitAt,
): ReturnType<Saves['renew']> {
  const renewed = await library.channels.renew(channel_id, feed, visit)
  await applyRule(library, channel_id)
  return renewed
}
