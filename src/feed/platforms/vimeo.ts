/** Vimeo: the feeds of people, channels and groups. */
import { feedsByPath, hostOf, listingsByPath, type Platform, pageByAddress, videoIdByPath } from './platform.ts'

const feedOf = (name: string) => `https://vimeo.com/${name}/videos/rss`

const feedsOnSite = feedsByPath([
  [/^\/((?:channels|groups)\/[\w-]{1,100})(?:\/videos)?\/?$/, 'channel', feedOf],
  // A path of digits alone is a video.
  [
    /^\/(?!\d+\/?$|(?:about|blog|categories|channels|create|enterprise|features|for-hire|groups|help|join|log_in|manage|ondemand|search|settings|solutions|stats|stock|upgrade|upload|watch)(?:\/|$))([\w-]{1,100})(?:\/videos)?\/?$/,
    'channel',
    feedOf,
  ],
])

const listingsOnSite = listingsByPath([
  [/^\/((?:(?:channels|groups)\/)?[\w-]{1,100})\/videos\/rss\/?$/, name => `https://vimeo.com/${name}`],
])

export const vimeo: Platform = {
  hosts: /^(player\.)?vimeo\.com$/,
  feedsIn: address => (hostOf(address) === 'vimeo.com' ? feedsOnSite(address) : []),
  listingsIn(address) {
    const [feed] = vimeo.feedsIn?.(address) ?? []
    return listingsOnSite(feed ? new URL(feed.rss_url) : address)
  },
  videoIdIn: videoIdByPath(
    'vimeo',
    /^(?:\/(?:showcase|album)\/\d+\/video|(?:\/(?!(?:showcase|album)\/)[a-z][\w-]*){0,4})\/(\d{4,12})(?:\/|$)/,
  ),
  // Text after the number may be the key to an unlisted video.
  pageOfVideo: pageByAddress([/^https?:\/\/(?:www\.)?vimeo\.com\/(\d{4,12})$/], id => `https://vimeo.com/${id}`),
}
