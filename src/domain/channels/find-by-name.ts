/** Searches channels by name: on YouTube, and on the PeerTube servers of channels that the person follows. */
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import type { PeertubeSearcher } from '../../feed/fetch/search-peertube.ts'
import { knownFeedsOf } from '../../feed/platforms/by-address.ts'
import { peertubeFeedsOf, peertubeListingOf } from '../../feed/platforms/peertube.ts'
import type { AddressPolicy } from '../../net/addresses.ts'
import { lazily } from '../../runtime/cache.ts'
import type { Channel } from '../../schema/channels/channel.ts'
import type { FoundByName } from '../../schema/channels/channel-api.ts'
import type { NamedChannel } from '../../schema/sources/discovery.ts'
import type { YoutubeSearcher } from '../../ytdlp/ask/search-channels.ts'
import type { ToolFinder } from '../../ytdlp/process/programs.ts'

export type NameSearches = { searchYoutube: YoutubeSearcher; searchPeertube: PeertubeSearcher }

/** The first search loads the code of both. */
export const webNameSearches = (policy: AddressPolicy, findTools: ToolFinder): NameSearches => ({
  searchYoutube: lazily(async () =>
    (await import('../../ytdlp/ask/search-channels.ts')).createYoutubeSearcher({ findTools, policy }),
  ),
  searchPeertube: lazily(async () =>
    (await import('../../feed/fetch/search-peertube.ts')).createPeertubeSearcher({ policy }),
  ),
})

/** The longest time that a page waits for the search. */
const search_ms = 10_000
const max_channels = 10
const max_servers = 3

export async function findByName(library: Library, searches: NameSearches, words: string): Promise<FoundByName> {
  const signal = AbortSignal.timeout(search_ms)
  const whose = library.user_id
  const followed = await library.channels.list()
  const servers = [...new Set(followed.flatMap(serverOf))].slice(0, max_servers)
  const answers = await Promise.all([
    orReason('YouTube', signal, youtube(searches.searchYoutube({ words, signal, whose }))),
    ...servers.map(origin =>
      orReason(new URL(origin).host, signal, searches.searchPeertube({ origin, words, signal, whose })),
    ),
  ])
  const found = answers.flatMap(({ channels }) => channels).flatMap(channel => withFeed(channel, followed))
  return { channels: firstOfEach(found).slice(0, max_channels), tried: answers.flatMap(({ reason }) => reason ?? []) }
}

/** Each channel once. The first answer counts, so that no server can rename what YouTube found. */
const firstOfEach = (found: FoundByName['channels']) =>
  found.filter(({ feed }, n) => n === found.findIndex(other => other.feed.rss_url === feed.rss_url))

const serverOf = ({ rss_url }: Channel) =>
  rss_url !== null && peertubeListingOf(rss_url) !== undefined ? [new URL(rss_url).origin] : []

async function youtube(searching: ReturnType<YoutubeSearcher>): Promise<NamedChannel[]> {
  const result = await searching
  if ('failure' in result) throw new DomainError('feed_failed', result.failure.sentence)
  return result.channels
}

type Answer = { channels: NamedChannel[]; reason?: string }

async function orReason(site: string, signal: AbortSignal, searching: Promise<NamedChannel[]>): Promise<Answer> {
  try {
    return { channels: await searching }
  } catch (fault) {
    if (signal.aborted) return { channels: [], reason: `${site} did not answer within ${search_ms / 1000} seconds.` }
    if (!(fault instanceof DomainError)) throw fault
    return { channels: [], reason: `${site}: ${fault.message}` }
  }
}

/** The channel with its feed; empty if the address of the channel does not tell its feed. */
function withFeed(channel: NamedChannel, followed: Channel[]): FoundByName['channels'] {
  const feeds = [...knownFeedsOf(channel.page_url), ...peertubeFeedsOf(channel.page_url, true)]
  const [feed] = feeds
  if (!feed) return []
  const known = followed.find(({ rss_url }) => feeds.some(one => one.rss_url === rss_url))
  const { title } = channel
  return [{ ...channel, feed: { ...feed, title, entries: null, newest_at: null }, followed: known }]
}
