/** Reads the feed at an address, or the one that the page there names: fetch, discover and parse, put together. */
import type { ReadFeed } from '../schema/feed.ts'
import { feedAddressOf } from './discover.ts'
import { textOf } from './encoding.ts'
import { type FetchedDocument, type FetchOptions, fetchDocument } from './fetch.ts'
import { feedsOnPage } from './page-feeds.ts'
import { kindOf } from './parse.ts'
import { parseApart } from './parse-apart.ts'
import { withTwin } from './youtube-twin.ts'

/** Reads the feed at an address, or the one that the page there names. Rejects with what a person can be told. */
export type FeedReader = (address: string) => Promise<ReadFeed>

/**
 * `rss_url` is the address as given, or the one the page named: a redirect may be for today only.
 */
export function createFeedReader(options: FetchOptions): FeedReader {
  return async given => {
    const address = feedAddressOf(given)
    return withTwin(address, async (asked, twin) => {
      const document = await fetchDocument(asked, options)
      const named = feedNamedIn(document)
      // One step and no more: a page that names a page is nobody's feed.
      if (named !== undefined)
        return { rss_url: named, feed: await parseApart(await fetchDocument(named, options), named) }
      const feed = await parseApart(document, address)
      return { rss_url: address, feed: twin?.only?.(feed) ?? feed }
    })
  }
}

function feedNamedIn({ url, content_type, body }: FetchedDocument): string | undefined {
  const text = textOf(body, content_type)
  return kindOf(text) === 'html' ? feedsOnPage(text, url)[0]?.rss_url : undefined
}
