/** Dailymotion: the feeds of people and playlists. */
import { feedsByPath, hostOf, listingsByPath, type Platform, pageByAddress, videoIdByPath } from './platform.ts'

const onSite = videoIdByPath('dailymotion', /^\/(?:embed\/)?video\/([a-z0-9]{5,20})/)
const onShortHost = videoIdByPath('dailymotion', /^\/([a-z0-9]{5,20})(?:\/|$)/)
const feedsOnSite = feedsByPath([
  [/^\/playlist\/(x[a-z0-9]{2,15})(?:\/|$)/, 'playlist', id => `https://www.dailymotion.com/rss/playlist/${id}`],
  [
    /^\/(?:user\/)?(?!(?:browse|embed|hub|legal|library|notifications|partner|playlist|rss|search|settings|signin|signup|user|video)(?:\/|$))([\w.-]{1,100})\/?$/,
    'channel',
    name => `https://www.dailymotion.com/rss/user/${name}`,
  ],
])

const listingsOnSite = listingsByPath([
  [/^\/rss\/(playlist\/x[a-z0-9]{2,15})\/?$/, list => `https://www.dailymotion.com/${list}`],
  [/^\/rss\/user\/([\w.-]{1,100})\/?$/, name => `https://www.dailymotion.com/${name}`],
])

export const dailymotion: Platform = {
  hosts: /^(?:(?:geo\.)?dailymotion\.com|dai\.ly)$/,
  feedsIn: address => (hostOf(address) === 'dailymotion.com' ? feedsOnSite(address) : []),
  listingsIn(address) {
    const [feed] = dailymotion.feedsIn?.(address) ?? []
    return listingsOnSite(feed ? new URL(feed.rss_url) : address)
  },
  videoIdIn: address => (hostOf(address) === 'dai.ly' ? onShortHost(address) : onSite(address)),
  pageOfVideo: pageByAddress(
    [
      /^https?:\/\/(?:www\.)?dailymotion\.com\/(?:embed\/)?video\/([a-z0-9]{5,20})(?:_[\w-]*)?$/,
      /^https?:\/\/dai\.ly\/([a-z0-9]{5,20})$/,
    ],
    id => `https://www.dailymotion.com/video/${id}`,
  ),
}
