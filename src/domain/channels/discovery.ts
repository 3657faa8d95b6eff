/**
 * From anything a person pastes to the feeds that stand behind it: by rules on the address, then by what its page says,
 * then by what the downloader knows of it. Asks at most three times, within one time limit, and says what led nowhere.
 */
import { DomainError } from '../../errors.ts'
import { addressOf } from '../../feed/pages/given-address.ts'
import { feedlessOf, knownFeedsOf, peertubeFeedsOf, peertubeVideoOf } from '../../feed/platforms/known-feeds.ts'
import { isVideoInPlaylist } from '../../feed/platforms/youtube-feeds.ts'
import type { Choice, Discovered, FoundFeed } from '../../schema/discovery.ts'
import type { Feed, ReadFeed } from '../../schema/feed.ts'
import { type FeedSearch, type Sources, startSearch } from './feed-search.ts'

export type SearchLimits = { most_requests: number; timeout_ms: number }
const default_limits: SearchLimits = { most_requests: 3, timeout_ms: 20_000 }

/** `best` is the first found, read already; `fault` is why there is none. */
export type Discovery = Discovered & ({ best: ReadFeed } | { fault: DomainError })

/** For this person. Rejects with what can't be asked at all: no web address, or one inside this network. */
export type Discover = (given: string, whose?: string) => Promise<Discovery>

export function createDiscover(sources: Sources, limits: Partial<SearchLimits> = {}): Discover {
  const { most_requests, timeout_ms } = { ...default_limits, ...limits }
  return async (given, whose = '') => {
    const url = addressOf(given)
    const signal = AbortSignal.timeout(timeout_ms)
    const search = startSearch(url, whose, sources, signal, most_requests)
    try {
      const found = (await byAddress(search)) ?? (await byPage(search)) ?? (await byOwner(search))
      if (found) return { ...found, tried: search.tried }
    } catch (cause) {
      if (!signal.aborted) throw cause
      search.note(
        new DomainError('feed_timeout', `Nothing was found within ${timeout_ms / 1000} seconds. Try again later.`),
      )
    }
    const feedless = feedlessOf(url)
    if (feedless) search.note(new DomainError('not_a_feed', feedless))
    return { found: [], tried: search.tried, fault: search.fault() }
  }
}

type Found = { found: FoundFeed[]; best: ReadFeed }

async function byAddress(search: FeedSearch): Promise<Found | undefined> {
  const found = await firstThatReads(search, feedsBehind(search.url), 1)
  if (found) return isVideoInPlaylist(search.url) ? withItsChannel(search, found) : found
  const lookup = peertubeVideoOf(search.url)
  const page = lookup && (await search.look(lookup))
  return page && 'owners' in page
    ? firstThatReads(
        search,
        page.owners.flatMap(owner => peertubeFeedsOf(owner, true)),
      )
    : undefined
}

/** Its address names the playlist; which channel it is of, only its page says. */
async function withItsChannel(search: FeedSearch, { found, best }: Found): Promise<Found> {
  const page = await search.look(search.url)
  const choices = page && 'choices' in page ? page.choices : []
  const others = choices.filter(({ rss_url }) => !found.some(known => known.rss_url === rss_url))
  return { found: [...found, ...others.map(choice => unasked(choice, 'The channel of this video'))], best }
}

function feedsBehind(url: string): Choice[] {
  const known = knownFeedsOf(url)
  return known.length > 0 ? known : peertubeFeedsOf(url)
}

async function byPage(search: FeedSearch): Promise<Found | undefined> {
  const page = await search.look(search.url)
  if (!page || 'owners' in page) return undefined
  if ('feed' in page) return foundIn([{ rss_url: search.url, kind: 'feed' }], page.feed)
  return firstThatReads(search, page.choices)
}

async function byOwner(search: FeedSearch): Promise<Found | undefined> {
  const owners = await search.owners()
  const found = await firstThatReads(search, owners.flatMap(feedsBehind), 1)
  if (found) return found
  const [owner] = owners
  const page = owner && (await search.look(owner))
  return page && 'choices' in page ? firstThatReads(search, page.choices) : undefined
}

/** The first that can be read is shown with what stands in it; those behind it are offered as they are. */
async function firstThatReads(
  search: FeedSearch,
  choices: Choice[],
  most = choices.length,
): Promise<Found | undefined> {
  for (const [at, choice] of choices.slice(0, most).entries()) {
    const page = await search.look(choice.rss_url)
    if (page && 'feed' in page) return foundIn(choices.slice(at), page.feed)
  }
  return undefined
}

function foundIn([first, ...others]: Choice[], feed: Feed): Found | undefined {
  if (first === undefined) return undefined
  const dates = feed.entries.flatMap(({ published_at }) => published_at?.getTime() ?? [])
  const newest_at = dates.length > 0 ? new Date(Math.max(...dates)) : null
  const asked = { ...first, title: feed.title, entries: feed.entries.length, newest_at }
  return {
    found: [asked, ...others.map(other => unasked(other, feed.title))],
    best: { rss_url: first.rss_url, feed },
  }
}

const unasked = ({ rss_url, kind, title }: Choice, untitled: string): FoundFeed => ({
  ...{ rss_url, kind, title: title ?? untitled },
  ...{ entries: null, newest_at: null },
})

/** The way to follow an address straight away: the best of what is found. Rejects with the reason why nothing was. */
export const bestOf =
  (discover: Discover) =>
  async (address: string, whose = ''): Promise<ReadFeed> => {
    const discovery = await discover(address, whose)
    if ('best' in discovery) return discovery.best
    const { fault, tried } = discovery
    const { code, retry_after_s } = fault
    throw new DomainError(code, tried.join(' '), {
      cause: fault,
      ...(retry_after_s !== undefined && { retry_after_s }),
    })
  }
