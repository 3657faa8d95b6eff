/** In this process, without a network: feeds that a test publishes at addresses. */
import { DomainError } from '../../../src/errors.ts'
import type { FeedEntry, ReadFeed } from '../../../src/schema/sources/feed.ts'

/** `findFeed` finds only what was published; any other address answers 404. */
export function publishedFeeds() {
  const feeds = new Map<string, () => ReadFeed>()
  return {
    /** The feed that each address answers with. */
    feeds,
    async findFeed(address: string): Promise<ReadFeed> {
      const feed = feeds.get(address)
      if (!feed) throw new DomainError('feed_failed', 'The site answered 404. Check the address.')
      return feed()
    },
    publish: (address: string, channel_id: string, entries: FeedEntry[], title = 'Slow Kitchen') =>
      feeds.set(address, () => ({ rss_url: address, feed: { channel_id, title, entries, skipped: 0 } })),
  }
}
