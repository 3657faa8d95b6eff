/** Identifiers made from addresses: of videos of unknown platforms, and of channels. They are stored, so they must never change. Pure. */
import { hash } from 'node:crypto'
import { canonicalUrl, of_the_moment } from '../markup/web-url.ts'
import { knownFeedsOf } from '../platforms/by-address.ts'
import { peertubeFeedsOf } from '../platforms/peertube.ts'
import { hasYouTubeFeeds } from '../platforms/youtube.ts'
import { type ChannelClues, channelIdInClues, channelIdInFeedAddress } from '../platforms/youtube-channel.ts'

/** `named`: an identifier for the same address that also depends on a name, where several entries have that address. */
type ReadableId = { id: string; named(name: string): string }

/**
 * The identifier of a video of an unknown platform, made from its address: a readable part for people, then a hash of the address. At most 200
 * of `A–Z a–z 0–9 . _ -`, never beginning with a dot, so that it can name a file.
 */
export function readableIdOf(address: string): ReadableId {
  const url = new URL(address)
  const { pathname } = url
  // In the address of a page, the same parameters may name the page.
  const canonical = canonicalUrl(url, media_file.test(pathname) ? of_the_moment : undefined)
  const [host = ''] = canonical.split(/[/?#]/, 1)
  const last = pathname.split('/').findLast(segment => segment !== '') ?? host
  const slug = last
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replace(/%[0-9A-Fa-f]{2}|[^A-Za-z0-9_-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .slice(0, 60)
    .replace(/^[-_]+|[-_]+$/g, '')
  const idFor = (text: string) => `${slug || 'v'}.${hash('sha256', text).slice(0, 16)}`
  return { id: idFor(canonical), named: name => idFor(`${canonical}\n${name}`) }
}

const media_file = /\.(mp4|m4v|mov|webm|mkv|ogv|avi|mpe?g|flv|m3u8|mpd|ts|mp3|m4a|aac|ogg|oga|opus|flac|wav)$/i

/** Whether an address is that of a video or sound file, as far as its path says. */
export const isMediaFile = (address: string): boolean => media_file.test(new URL(address).pathname)

/**
 * The identifier of a channel: YouTube's own, else `host.hash` of the feed's address; fit for a path. Feeds on other hosts can claim anything: a
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
 * The identifier that the feed of a channel would give, where only the page of the channel on its platform is known. A page without a known
 * feed counts as its own feed. `is_peertube`: the page is PeerTube's.
 */
export function channelIdOfPage(page_url: string, is_peertube = false): string {
  const [feed] = [...knownFeedsOf(page_url), ...(is_peertube ? peertubeFeedsOf(page_url, true) : [])]
  return channelIdOf(feed?.rss_url ?? page_url, { entry_channels: [], links: [] })
}

function idFromAddress(address: string): string {
  const host = new URL(address).hostname.replace(/^www\./, '')
  return `${host.replace(/[^A-Za-z0-9.-]/g, '-').slice(0, 100)}.${hash('sha256', canonicalUrl(address)).slice(0, 16)}`
}
