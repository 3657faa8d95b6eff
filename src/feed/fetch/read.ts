/** Reads the feed at an address, or finds the one that a page there names: fetch, discover and parse, put together. */
import type { ReadFeed } from '../../schema/feed.ts'
import type { FetchedDocument } from '../document.ts'
import { feedAddressOf } from '../pages/given-address.ts'
import { type FetchOptions, fetchDocument } from './fetch.ts'
import { choicesApart, parseApart } from './parse-apart.ts'
import { withTwin } from './youtube-twin.ts'

/**
 * Rejects with what a person can be told. `rss_url` is never where a redirect led, which may be for today only.
 * `whose`: who takes the turn at reading what is big.
 */
export type FeedReader = (address: string, whose?: string) => Promise<ReadFeed>

/**
 * For what is followed already: a page in the feed's place is a fault, whatever it names. Whoever bought the domain must
 * not speak for the channel that stood there.
 */
export const createFeedReader = (options: FetchOptions): FeedReader => reading(options, async () => undefined)

/** For what somebody wants to follow, who may give the address of a page. One step and no more. */
export const createFeedFinder = (options: FetchOptions): FeedReader =>
  reading(options, async (document, whose) => (await choicesApart(document, { whose }))?.[0]?.rss_url)

const reading =
  (
    options: FetchOptions,
    namedIn: (document: FetchedDocument, whose?: string) => Promise<string | undefined>,
  ): FeedReader =>
  async (given, whose) => {
    const address = feedAddressOf(given)
    return withTwin(address, async (asked, twin) => {
      const document = await fetchDocument(asked, options)
      const named = await namedIn(document, whose)
      if (named !== undefined)
        return { rss_url: named, feed: await parseApart(await fetchDocument(named, options), named, { whose }) }
      const feed = await parseApart(document, address, { whose })
      return { rss_url: address, feed: twin?.only?.(feed) ?? feed }
    })
  }
