/** The identifier of a channel, from its feed's address and from what the feed says. It is stored, so it must never change. Pure. */
import { hash } from 'node:crypto'
import { canonicalUrl } from '../markup/web-url.ts'
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

function idFromAddress(address: string): string {
  const host = new URL(address).hostname.replace(/^www\./, '')
  return `${host.replace(/[^A-Za-z0-9.-]/g, '-').slice(0, 100)}.${hash('sha256', canonicalUrl(address)).slice(0, 16)}`
}
