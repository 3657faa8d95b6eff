/** Where the lists of a channel are, as far as its addresses tell. `list-channel.ts` reads them. */
import { knownFeedsOf, listingsOf } from '../../feed/platforms/by-address.ts'
import { peertubeListingOf } from '../../feed/platforms/peertube.ts'

/** `rss_url`: its feed. `page_url`: its page on its platform. Null: unknown. */
type Addresses = [rss_url: string | null, page_url: string | null]

/** The list of a channel of PeerTube, which is read by PeerTube's own API. */
export const peertubeListOf = (...addresses: Addresses): string | undefined =>
  addresses
    .values()
    .map(address => (address === null ? undefined : peertubeListingOf(address)))
    .find(list => list !== undefined)

/** The pages that yt-dlp reads; empty: none is known. */
export function listsOf(...addresses: Addresses): string[] {
  const lists = addresses.map(address => (address === null ? [] : listingsOf(address)))
  const [, page_url] = addresses
  return lists.find(({ length }) => length > 0) ?? (page_url === null ? [] : [page_url])
}

/** The list that is read first. */
export const firstListOf = (...addresses: Addresses): string | undefined =>
  peertubeListOf(...addresses) ?? listsOf(...addresses)[0]

/** Whether a platform that we know lists the channel. Other pages may be lists as well, which only a request can tell. */
export const isListed = (...addresses: Addresses): boolean =>
  peertubeListOf(...addresses) !== undefined ||
  addresses.some(address => address !== null && listingsOf(address).length > 0)

export const isPlaylist = (rss_url: string): boolean => knownFeedsOf(rss_url)[0]?.kind === 'playlist'
