/**
 * Finds the feed for anything a person pastes; nothing else does. Tries four ways in order: known forms of addresses, the page itself,
 * yt-dlp, and what the page links without calling it a feed. `feed-search.ts` counts the requests and collects the reasons of the ways that
 * failed.
 */
import { DomainError } from '../../errors.ts'
import { addressOf } from '../../feed/pages/given-address.ts'
import { feedlessOf, knownFeedsOf } from '../../feed/platforms/by-address.ts'
import { peertubeFeedsOf, peertubeVideoOf } from '../../feed/platforms/peertube.ts'
import { isVideoInPlaylist } from '../../feed/platforms/youtube.ts'
import type { Choice, Discovered, FoundFeed } from '../../schema/sources/discovery.ts'
import type { Feed, ReadFeed } from '../../schema/sources/feed.ts'
import { type FeedSearch, type SearchBudget, type Sources, startSearch } from './feed-search.ts'

/** For a person who waits on a page. */
const page_budget: SearchBudget = { requests: 3, request_ms: 10_000, search_ms: 20_000 }
/**
 * For a line of an import: a page and its feed. A slow site may take longer, because no person waits for the answer. The whole search
 * has no limit: documents wait for the parse turns of other lines of the same person, and no line may fail because of that.
 */
export const import_budget: SearchBudget = { requests: 2, request_ms: 20_000, search_ms: null }

/** `best`: the first feed found, already read. `fault`: why there is none. */
export type Discovery = Discovered & ({ best: ReadFeed } | { fault: DomainError })

/**
 * Rejects with a refusal for what cannot be fetched at all: no web address, or an address inside this network.
 * `whose`: the person whose turn it takes.
 */
export type Discover = (given: string, whose?: string) => Promise<Discovery>

/** Finds the best feed for an address. Rejects with the reason when there is none. */
export type FeedFinder = (given: string, whose?: string) => Promise<ReadFeed>

export function createDiscover(sources: Sources, budget: Partial<SearchBudget> = {}): Discover {
  const { search_ms, ...limits } = { ...page_budget, ...budget }
  return async (given, whose = '') => {
    const url = addressOf(given)
    const signal = search_ms === null ? new AbortController().signal : AbortSignal.timeout(search_ms)
    const search = startSearch(url, sources, { ...limits, signal, whose })
    try {
      const found =
        (await byAddress(search)) ?? (await byPage(search)) ?? (await byOwner(search)) ?? (await byGuess(search))
      if (found) return { ...found, tried: search.tried }
    } catch (cause) {
      if (!signal.aborted || search_ms === null) throw cause
      search.addFault(
        new DomainError('feed_timeout', `Nothing was found within ${search_ms / 1000} seconds. Try again later.`),
      )
    }
    const feedless = feedlessOf(url)
    if (feedless) search.addFault(new DomainError('not_a_feed', feedless))
    return { found: [], tried: search.tried, fault: search.fault() }
  }
}

export const bestOf =
  (discover: Discover): FeedFinder =>
  async (given, whose = '') => {
    const discovery = await discover(given, whose)
    if ('best' in discovery) return discovery.best
    const { fault, tried } = discovery
    throw new DomainError(fault.code, tried.join(' '), { cause: fault, retry_after_s: fault.retry_after_s })
  }

type FoundFeeds = { found: FoundFeed[]; best: ReadFeed }

async function byAddress(search: FeedSearch): Promise<FoundFeeds | undefined> {
  const known = knownFeedsOf(search.url)
  const found = await firstReadable(search, known.length > 0 ? known : guessedFeeds(search), 1)
  if (found) return isVideoInPlaylist(search.url) ? withItsChannel(search, found) : found
  const video_address = canGuess(search) ? peertubeVideoOf(search.url) : undefined
  const content = video_address && (await search.fetch(video_address))
  return content && 'owners' in content
    ? firstReadable(
        search,
        content.owners.flatMap(owner => peertubeFeedsOf(owner, true)),
      )
    : undefined
}

/** Any site can have a path like PeerTube's. So it is tried only if two requests remain afterwards, for a page and its feed. */
const guessedFeeds = (search: FeedSearch): Choice[] => (canGuess(search) ? peertubeFeedsOf(search.url) : [])
const canGuess = (search: FeedSearch): boolean => search.requestsLeft() >= 3

/**
 * Offers the channel of the video as well as the playlist. Only the page says which channel that is, so it costs a request. An
 * import has no request left for it.
 */
async function withItsChannel(search: FeedSearch, { found, best }: FoundFeeds): Promise<FoundFeeds> {
  const content = search.requestsLeft() >= 2 ? await search.fetch(search.url) : undefined
  const choices = content && 'choices' in content ? content.choices : []
  const others = choices.filter(({ rss_url }) => !found.some(known => known.rss_url === rss_url))
  return { found: [...found, ...others.map(choice => unread(choice, 'The channel of this video'))], best }
}

async function byPage(search: FeedSearch, rss_url = search.url): Promise<FoundFeeds | undefined> {
  const content = await search.fetch(rss_url)
  if (!content || 'owners' in content) return undefined
  if ('feed' in content) return foundIn([{ rss_url, kind: 'feed' }], content.feed)
  return firstReadable(search, content.choices)
}

async function byOwner(search: FeedSearch): Promise<FoundFeeds | undefined> {
  const owners = await search.owners()
  const found = await firstReadable(search, owners.flatMap(feedsByAddress), 1)
  if (found) return found
  const [owner] = owners
  return owner === undefined ? undefined : byPage(search, owner)
}

/**
 * Last, because the feed in the footer of a video's page is usually of the whole site. A page that a guess leads to may add more guesses;
 * the requests of the search limit them.
 */
async function byGuess(search: FeedSearch): Promise<FoundFeeds | undefined> {
  for (const { rss_url } of search.guesses) {
    const found = await byPage(search, rss_url)
    if (found) return found
  }
  return undefined
}

function feedsByAddress(url: string): Choice[] {
  const known = knownFeedsOf(url)
  return known.length > 0 ? known : peertubeFeedsOf(url)
}

/** Fetches the choices in order until one is a feed. It is the best one; the choices after it are offered without fetching them. */
async function firstReadable(search: FeedSearch, choices: Choice[], max_tried = choices.length) {
  for (const [at, choice] of choices.slice(0, max_tried).entries()) {
    const content = await search.fetch(choice.rss_url)
    if (content && 'feed' in content) return foundIn(choices.slice(at), content.feed)
  }
  return undefined
}

function foundIn([first, ...others]: Choice[], feed: Feed): FoundFeeds | undefined {
  if (first === undefined) return undefined
  const dates = feed.entries.flatMap(({ published_at }) => published_at?.getTime() ?? [])
  const newest_at = dates.length > 0 ? new Date(Math.max(...dates)) : null
  const read = { ...first, title: feed.title, entries: feed.entries.length, newest_at }
  return {
    found: [read, ...others.map(other => unread(other, feed.title))],
    best: { rss_url: first.rss_url, feed },
  }
}

const unread = ({ rss_url, kind, title }: Choice, untitled: string): FoundFeed => ({
  rss_url,
  kind,
  title: title ?? untitled,
  entries: null,
  newest_at: null,
})
