/**
 * The identifiers of YouTube's channels, and the second address that each channel's feed has.
 *
 * All parts of a YouTube channel are one channel (`UC…`). Everything, videos only, Shorts only and live streams only
 * are a choice of feed; choosing another one changes the feed of the same channel.
 */
import type { Feed } from '../../schema/sources/feed.ts'
import { hasYouTubeFeeds, isChannelId, isYouTubeFeed } from './youtube.ts'

/** What a feed may say about itself; each may be missing, empty or wrong. */
export type ChannelClues = {
  /** `yt:channelId` and `yt:playlistId` of the feed itself. */
  channel?: string | undefined
  playlist?: string | undefined
  /** `yt:channelId` of each entry. */
  entry_channels: string[]
  /** The feed's links and its author's. */
  links: string[]
}

/** `new` is the path of the page on which channels are added. */
const identifier = /^(?!new$)[A-Za-z0-9_-]{1,100}$/

/** From the address of a feed. */
export function channelIdInFeedAddress(address: string): string | undefined {
  const { searchParams } = new URL(address)
  const channel = searchParams.get('channel_id')
  const playlist = searchParams.get('playlist_id')
  if (channel && identifier.test(channel)) return channel
  return playlist && identifier.test(playlist) ? channelOfPlaylist(playlist) : undefined
}

/** From what a feed says about itself. */
export function channelIdInClues({ channel, playlist, entry_channels, links }: ChannelClues): string | undefined {
  if (playlist && identifier.test(playlist)) return channelOfPlaylist(playlist)
  if (channel && identifier.test(channel)) return withPrefix(channel)
  const [linked] = links.map(channelIdInLink).filter(id => id !== undefined)
  const [first, ...others] = new Set(entry_channels)
  return linked ?? (first && others.length === 0 && identifier.test(first) ? withPrefix(first) : undefined)
}

/** The lists of all uploads, of videos, of shorts and so on are parts of one channel, and are followed as that channel. */
const channelOfPlaylist = (playlist: string): string =>
  playlist.replace(/^UU(?:LF|SH|LV|LP|PS|PV|MF|MS|MV|MO)?(?=.{22}$)/, 'UC')

/** Since 2023 YouTube leaves out the `UC` in a feed's own identifier, but not in those of its entries. */
const withPrefix = (channel: string) => (channel.length === 22 && !channel.startsWith('UC') ? `UC${channel}` : channel)

function channelIdInLink(link: string): string | undefined {
  const url = URL.parse(link)
  if (!url || !hasYouTubeFeeds(url.hostname)) return undefined
  return /\/channel\/(UC[A-Za-z0-9_-]{22})(?:\/|$)/.exec(url.pathname)?.[1] ?? channelIdInFeedAddress(link)
}

/** `keep`: what of the feed at this address belongs to the first. */
export type SecondAddress = { address: string; keep(feed: Feed): Feed }

/**
 * A channel's feed and its list of uploads have the same entries. Now and then one of them answers 404 or 500 for hours
 * while the other works (NetNewsWire#5212, plugin.video.youtube#1463). Undefined for every other address.
 */
export function secondAddressOf(address: string): SecondAddress | undefined {
  const url = new URL(address)
  if (!isYouTubeFeed(url)) return undefined
  const at = (query: string) => `${url.origin}/feeds/videos.xml?${query}`
  const [, channel] = /^UC(.{22})$/.exec(url.searchParams.get('channel_id') ?? '') ?? []
  if (channel) return { address: at(`playlist_id=UU${channel}`), keep: feed => feed }
  const [, videos_only, rest] = /^UU(LF)?(.{22})$/.exec(url.searchParams.get('playlist_id') ?? '') ?? []
  if (!rest) return undefined
  return { address: at(`channel_id=UC${rest}`), keep: videos_only ? withoutShorts : feed => feed }
}

/** A person who follows the videos alone must not get shorts, not even for a day. */
const withoutShorts = (feed: Feed): Feed => ({
  ...feed,
  entries: feed.entries.filter(({ video_url }) => !/\/shorts\//.test(video_url)),
})

/** Announces the feeds of all channels (WebSub). They do not name it (miniflux#639). */
export const youtube_hub = 'https://pubsubhubbub.appspot.com/subscribe'

/**
 * The name of a channel's feed at the hub; undefined for playlists, for old names of users, and for addresses elsewhere. The hub announces
 * the feed of a whole channel only. The lists of videos, Shorts and live streams are parts of that feed, so its announcement is a reason
 * to check them too.
 */
export function youtubeTopicOf(rss_url: string): string | undefined {
  const url = URL.parse(rss_url)
  // With a port it is another server.
  if (!url || !isYouTubeFeed(url) || url.port !== '') return undefined
  const channel = channelIdInFeedAddress(rss_url)
  if (channel === undefined || !isChannelId(channel)) return undefined
  return `https://www.youtube.com/feeds/videos.xml?channel_id=${channel}`
}
