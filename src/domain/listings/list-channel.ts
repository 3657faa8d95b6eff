/**
 * Lists the videos of a channel wherever it is: by yt-dlp, one tab after the other, or by PeerTube's own API. Saving them is
 * left to the caller.
 */
import type { DomainError } from '../../errors.ts'
import { asksToWait, SiteRefusal } from '../../feed/fetch/answer.ts'
import type { PeertubeEnd, PeertubeLister } from '../../feed/fetch/list-peertube.ts'
import { platformVideoIdOf } from '../../feed/platforms/by-address.ts'
import type { Reason } from '../../schema/downloads/run.ts'
import type { ListedEntry, ListingRequest, PlatformChannel } from '../../schema/sources/listing.ts'
import type { ListingEnd, VideoLister } from '../../ytdlp/ask/list-videos.ts'
import { unknown_channel } from '../../ytdlp/ask/video-info.ts'
import { type Failure, failed, failures } from '../../ytdlp/failures/failure.ts'
import { listsOf, peertubeListOf } from './lists-of-channel.ts'

export type ChannelListingRequest = Omit<ListingRequest, 'url'> & {
  /** The address of the channel's feed; null: it has none. */
  rss_url: string | null
  /** The channel's page on its platform, for feeds whose address does not lead to a list; null: unknown. */
  page_url: string | null
  /**
   * Addresses of known videos, or their ids (`platformVideoIdOf`). A list is read no further after a batch of known videos
   * only, because its first entries may be pinned or for members.
   */
  until_known?: readonly string[] | undefined
}

/**
 * Resolves to one end for all lists of the channel. `newest`, `until_known` and `isEnough` count for each list separately. An
 * incomplete list ends the listing: the lists after it are not requested. Rejects only when `signal` is aborted or
 * `onEntries` fails.
 */
export type ChannelLister = (request: ChannelListingRequest) => Promise<ListingEnd>

export type ListingSources = { listVideos: VideoLister; listPeertube: PeertubeLister }

export const createChannelLister =
  ({ listVideos, listPeertube }: ListingSources): ChannelLister =>
  async ({ rss_url, page_url, until_known, isEnough, ...request }) => {
    const peertube = peertubeListOf(rss_url, page_url)
    const lists = peertube === undefined ? listsOf(rss_url, page_url) : [peertube]
    const known = new Set(until_known)
    const isEnoughFor = (entries: ListedEntry[]) =>
      (known.size > 0 && entries.every(entry => isKnown(known, entry))) || isEnough?.(entries) === true
    let all: ListingEnd = { listed: 0, channel: unknown_channel, end: 'complete' }
    for (const url of lists) {
      const list = { ...request, url, isEnough: isEnoughFor }
      const one = peertube === undefined ? await listVideos(list) : endOfPeertube(await listPeertube(list))
      all = joined(all, one)
      if (all.end === 'incomplete') return all
    }
    return lists.length > 0 ? all : { ...all, end: 'incomplete', failure: no_list }
  }

const endOfPeertube = (end: PeertubeEnd): ListingEnd =>
  end.end === 'incomplete' ? { ...end, failure: failureOfFetch(end.fault) } : end

const isKnown = (known: Set<string>, { video_url }: ListedEntry) =>
  known.has(video_url) || known.has(platformVideoIdOf(video_url) ?? '')

/** `stopped` wins over `complete`: then some videos were not listed. */
function joined(all: ListingEnd, one: ListingEnd): ListingEnd {
  const listed = all.listed + one.listed
  const channel = joinedChannel(all.channel, one.channel)
  if (one.end === 'incomplete') return { listed, channel, end: 'incomplete', failure: one.failure }
  return { listed, channel, end: all.end === 'stopped' ? 'stopped' : one.end }
}

const joinedChannel = (first: PlatformChannel, second: PlatformChannel): PlatformChannel => ({
  platform_id: first.platform_id ?? second.platform_id,
  title: first.title ?? second.title,
  page_url: first.page_url ?? second.page_url,
  image_url: first.image_url ?? second.image_url,
})

const no_list = failed('unsupported', 'This site has no list of all videos of a channel that we can read.')

/** Why our own fetcher could not read a list, as the kind of failure that yt-dlp's errors become. */
export function failureOfFetch(fault: DomainError): Failure {
  if (fault.code === 'address_refused') return failures.refused_address
  return failed(reasonOf(fault), fault.message)
}

function reasonOf(fault: DomainError): Reason {
  if (!(fault instanceof SiteRefusal)) return 'site_trouble'
  if (asksToWait(fault)) return 'rate_limited'
  if ([404, 410].includes(fault.answered)) return 'not_found'
  return [401, 403].includes(fault.answered) ? 'sign_in' : 'site_trouble'
}
