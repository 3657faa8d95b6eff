/** Reads the feed of a followed channel from its own address. Finding feeds is up to `domain/channels/discovery.ts`. */
import type { Feed } from '../../schema/sources/feed.ts'
import { type FetchOptions, fetchDocument } from './fetch.ts'
import { withMemory } from './memory.ts'
import { parseApart } from './parse-apart.ts'
import { withSecondAddress } from './second-address.ts'

/** Rejects with a sentence for people. `whose`: the person whose turn it takes to read a big document. */
export type FeedReader = (rss_url: string, whose?: string) => Promise<Feed>

/** A web page at this address is an error, even if it names a feed: the domain may have been sold. */
export const createFeedReader =
  (options: FetchOptions): FeedReader =>
  (rss_url, whose) =>
    withSecondAddress(rss_url, (address, second) =>
      withMemory(whose, async share => {
        const feed = await parseApart(await fetchDocument(address, options, share), rss_url, { whose })
        return second?.keep(feed) ?? feed
      }),
    )
