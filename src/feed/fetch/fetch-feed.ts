/**
 * Fetches a feed: from its own address, again when it may have changed, or from an address that may lead to one. Finding feeds is left to
 * `domain/channels/discovery.ts`.
 */
import { hash } from 'node:crypto'
import type { Choice } from '../../schema/sources/discovery.ts'
import { type Feed, type FeedVersion, never_fetched } from '../../schema/sources/feed.ts'
import type { FetchedDocument } from '../formats/parse.ts'
import { textOf } from '../markup/encoding.ts'
import { isPeertubeVideo, peertubeOwnersIn } from '../platforms/peertube.ts'
import { type SecondAddress, secondAddressOf } from '../platforms/youtube-channel.ts'
import { type Caching, SiteRefusal } from './answer.ts'
import { type FetchOptions, fetchDocument, fetchIfChanged } from './fetch.ts'
import { withMemory } from './memory.ts'
import { choicesApart, parseApart } from './parse-apart.ts'

/** Rejects with a sentence for people. `whose`: the person whose turn it takes to read a big document. */
export type FeedReader = (rss_url: string, whose?: string) => Promise<Feed>

/**
 * Reads the feed of a followed channel from its own address. A web page at this address is an error, even if it names a feed: the domain
 * may have been sold.
 */
export const createFeedReader =
  (options: FetchOptions): FeedReader =>
  (rss_url, whose) =>
    withSecondAddress(rss_url, (address, second) =>
      withMemory(whose, async share => {
        const feed = await parseApart(await fetchDocument(address, options, share), rss_url, { whose })
        return second?.keep(feed) ?? feed
      }),
    )

export type Changes = {
  /** Absent: the feed has not changed. */
  feed?: Feed
  known: FeedVersion
  /** For so many seconds the feed or its host wants no further request; `null`: neither says. */
  min_wait_s: number | null
  /** Where the feed has moved for good. */
  moved_to?: string | undefined
}

/** Rejects with a sentence for people, like a `FeedReader`; when `signal` is aborted, with its reason. */
export type ChangeFetcher = (address: string, known: FeedVersion, signal?: AbortSignal) => Promise<Changes>

/** Fetches a followed feed again and asks its host for news only: whether the feed changed, and when the host wants the next request. */
export function createChangeFetcher(options: FetchOptions): ChangeFetcher {
  return (rss_url, known, signal) =>
    withSecondAddress(rss_url, (address, second) =>
      withMemory(undefined, async share => {
        const before = second ? never_fetched : known
        const { document, caching, moved_to } = await fetchIfChanged(address, { ...options, signal }, before, share)
        if (!document) return { ...unchanged(known, known.body_hash, caching), moved_to }
        const body_hash = hashOf(document)
        if (!second && body_hash === known.body_hash) return { ...unchanged(known, body_hash, caching), moved_to }

        const feed = await parseApart(document, rss_url, { signal })
        const every_minutes = feed.every_minutes ?? null
        const min_wait_s = minWaitOf(every_minutes, caching)
        // The validators of the second address mean nothing at the followed one.
        if (second) return { feed: second.keep(feed), known: { ...never_fetched, every_minutes }, min_wait_s }
        const { etag, last_modified } = caching
        return { feed, known: { etag, last_modified, body_hash, every_minutes }, min_wait_s, moved_to }
      }),
    )
}

/** An answer without news does not have to repeat the validators. */
const unchanged = (known: FeedVersion, body_hash: string | null, caching: Caching): Changes => ({
  known: {
    etag: caching.etag ?? known.etag,
    last_modified: caching.last_modified ?? known.last_modified,
    body_hash,
    every_minutes: known.every_minutes,
  },
  min_wait_s: minWaitOf(known.every_minutes, caching),
})

const hashOf = ({ body }: FetchedDocument): string => hash('sha256', body, 'base64url')

/** The longer wish of the feed and its host. */
const minWaitOf = (every_minutes: number | null, { fresh_s }: Caching): number | null =>
  every_minutes === null && fresh_s === null ? null : Math.max((every_minutes ?? 0) * 60, fresh_s ?? 0)

/** `choices`: may be empty. `owners`: pages of the channel that a video belongs to. */
export type Content = { feed: Feed } | { choices: Choice[] } | { owners: string[] }

type ContentOptions = FetchOptions & {
  /** The person whose turn it takes to read a big document. */
  whose?: string
  /** Asked before the feed's second address is fetched. */
  mayFetch?: (address: string) => boolean
}

/**
 * Fetches an address and says what is there: a feed, a web page with the feeds it names, or the owners of a video. Rejects like
 * `fetchDocument` and `parseFeed`.
 */
export function fetchContent(url: string, { whose, mayFetch, ...options }: ContentOptions): Promise<Content> {
  return withSecondAddress(
    url,
    (address, second) =>
      withMemory(whose, async share => {
        const document = await fetchDocument(address, options, share)
        const turn = { whose, signal: options.signal }
        const choices = await choicesApart(document, turn)
        if (choices) return { choices }
        const owners = ownersIn(document)
        if (owners.length > 0) return { owners }
        const feed = await parseApart(document, url, turn)
        return { feed: second?.keep(feed) ?? feed }
      }),
    mayFetch,
  )
}

const ownersIn = ({ url, body, content_type }: FetchedDocument): string[] =>
  isPeertubeVideo(url) ? peertubeOwnersIn(textOf(body, content_type)) : []

/**
 * Fetches a feed from its second address when the first one is missing. Only YouTube's feeds have a second address. `mayFetch` is asked
 * before the second request. Rejects with the first refusal when both fail.
 */
export async function withSecondAddress<T>(
  address: string,
  attempt: (address: string, second?: SecondAddress) => Promise<T>,
  mayFetch: (address: string) => boolean = () => true,
): Promise<T> {
  try {
    return await attempt(address)
  } catch (refusal) {
    const second = isMissing(refusal) ? secondAddressOf(address) : undefined
    if (!second || !mayFetch(second.address)) throw refusal
    return attempt(second.address, second).catch(() => {
      throw refusal
    })
  }
}

const isMissing = (fault: unknown) => fault instanceof SiteRefusal && [404, 500].includes(fault.answered)
