/** BitChute: the feeds of channels. */
import { feedsByPath, listingsByPath, type Platform, videoIdByPath } from './platform.ts'

export const bitchute: Platform = {
  // The feeds are on `api.`.
  hosts: /^(?:api\.)?bitchute\.com$/,
  feedsIn: feedsByPath([
    [/^\/channel\/([\w-]{1,100})(?:\/|$)/, 'channel', id => `https://api.bitchute.com/feeds/rss/channel/${id}`],
  ]),
  listingsIn: listingsByPath([
    [/^\/(?:feeds\/rss\/)?channel\/([\w-]{1,100})(?:\/|$)/, id => `https://www.bitchute.com/channel/${id}/`],
  ]),
  videoIdIn: videoIdByPath('bitchute', /^\/(?:video|embed)\/([A-Za-z0-9_-]{8,20})(?:\/|$)/),
}
