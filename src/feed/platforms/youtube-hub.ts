/**
 * The hub of YouTube. Its feeds do not name it (miniflux#639), so it is written here.
 *
 * It announces the feed of a whole channel only. The lists of videos, Shorts and live streams are parts of that feed, so its
 * announcement is a reason to check them too.
 */
import type { FeedHub } from '../../schema/sources/feed.ts'
import { isChannelId, isYouTubeFeed } from './youtube.ts'
import { channelIdInFeedAddress } from './youtube-channel.ts'

const hub = 'https://pubsubhubbub.appspot.com/subscribe'

/** Undefined for playlists, for old names of users, and for addresses elsewhere. */
export function youtubeHubOf(rss_url: string): FeedHub | undefined {
  const url = URL.parse(rss_url)
  // With a port it is another server.
  if (!url || !isYouTubeFeed(url) || url.port !== '') return undefined
  const channel = channelIdInFeedAddress(rss_url)
  if (channel === undefined || !isChannelId(channel)) return undefined
  return { hub, topic: `https://www.youtube.com/feeds/videos.xml?channel_id=${channel}` }
}
