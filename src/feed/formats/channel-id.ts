/** The identifier of a channel, from its feed's address and from what the feed says. It is stored, so it must never change. Pure. */
import { hash } from 'node:crypto'
import { canonicalUrl } from '../markup/web-url.ts'
import { knownFeedsOf } from '../platforms/by-address.ts'
import { peertubeFeedsOf } from '../platforms/peertube.ts'
import { hasYouTubeFeeds } from '../platforms/youtube.ts'
import { type ChannelClues, channelIdInClues, channelIdInFeedAddress } from '../platforms/youtube-channel.ts'

/**
 * YouTube's own identifier, else `host.hash` of the feed's address; fit for a path. Feeds on other hosts can claim anything: a
 * podcast that links to its YouTube channel is not that channel. There the clues count only for a mirror (`is_mirror`), that
 * is when all videos of the feed are YouTube's.
 */
export function channelIdOf(address: string, clues: ChannelClues, is_mirror = false): string {
  const is_youtube = hasYouTubeFeeds(new URL(address).hostname)
  return (
    (is_youtube ? channelIdInFeedAddress(address) : undefined) ??
    (is_youtube || is_mirror ? channelIdInClues(clues) : undefined) ??
    idFromAddress(address)
  )
}

/**
 * The same, where only the page of the channel on its platform is known: the identifier that the feed of the channel would give. A
 * page without a known feed counts as its own feed. `is_peertube`: the page is PeerTube's.
 */
export function channelIdOfPage(page_url: string, is_peertube = false): string {
  const [feed] = [...knownFeedsOf(page_url), ...(is_peertube ? peertubeFeedsOf(page_url, true) : [])]
  return channelIdOf(feed?.rss_url ?? page_url, { entry_channels: [], links: [] })
}

function idFromAddress(address: string): string {
  const host = new URL(address).hostname.replace(/^www\./, '')
  return `${host.replace(/[^A-Za-z0-9.-]/g, '-').slice(0, 100)}.${hash('sha256', canonicalUrl(address)).slice(0, 16)}`
}
