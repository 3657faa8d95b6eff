/**
 * Which video an entry of a feed is, and which channel a feed is. Identifiers are stored, so they must never change. Pure.
 *
 * 1. Where the address is a video's page on a platform we know, the platform's identifier decides, whatever the feed says.
 * 2. Elsewhere the identifier is made from the address alone, so that one video has one identifier in every feed.
 * 3. Where several entries of one document have that address, those that differ by guid, or without one by the place on the
 *    page (`#`), are several videos. Each gets an identifier made from the address and that name.
 * 4. An entry that is read again is matched to a stored one before it gets any of these (`src/db/saving/matching.ts`): an identifier
 *    once stored never changes.
 */
import { hash } from 'node:crypto'
import type { Aliases, FeedEntry } from '../../schema/sources/feed.ts'
import { clean } from '../markup/clean.ts'
import { canonicalUrl, fragmentOf, isMediaFile, of_the_moment, webUrlOf } from '../markup/web-url.ts'
import { knownFeedsOf, platformVideoIdOf } from '../platforms/by-address.ts'
import { peertubeFeedsOf } from '../platforms/peertube.ts'
import { hasYouTubeFeeds, isYouTubeId } from '../platforms/youtube.ts'
import { type ChannelClues, channelIdInClues, channelIdInFeedAddress } from '../platforms/youtube-channel.ts'

type Identity = { video_id: string; aliases: Aliases | undefined; is_platforms: boolean }

/** `guid`: as written. `page`: the first address that the entry links to; `url` may be a file. */
export function identityOf(
  url: string,
  { youtube_id, guid, page }: { youtube_id?: string | undefined; guid?: string | undefined; page: string | undefined },
): Identity {
  // Front ends of YouTube serve its videos under their own addresses. `yt:videoId` counts if it is part of the address.
  const named = isYouTubeId(youtube_id) && url.includes(youtube_id) ? youtube_id : undefined
  const platform_id = named ?? platformVideoIdOf(url)
  // YouTube has been a known platform from the beginning.
  if (isYouTubeId(platform_id)) return { video_id: platform_id, aliases: undefined, is_platforms: true }
  const readable = readableIdOf(url)
  if (platform_id !== undefined)
    return { video_id: platform_id, aliases: { former_id: readable.id }, is_platforms: true }
  return { video_id: readable.id, aliases: { spare_id: readable.named(nameOf(guid, page)) }, is_platforms: false }
}

/** Each video once, as it first appears. Different videos get different identifiers. */
export function distinct(entries: FeedEntry[]): FeedEntry[] {
  const own = [...Map.groupBy(entries, keyOf).values()].flatMap(([first]) => first ?? [])
  const groups = Map.groupBy(own, ({ video_id }) => video_id)
  return own.map(entry => (groups.get(entry.video_id)?.length === 1 ? entry : underSpareId(entry)))
}

const keyOf = ({ video_id, aliases }: FeedEntry) => `${video_id} ${aliases?.spare_id ?? ''}`

function underSpareId(entry: FeedEntry): FeedEntry {
  const { video_id: address_id, title, aliases } = entry
  const video_id = aliases?.spare_id ?? address_id
  return { ...entry, video_id, title: title === address_id ? video_id : title, aliases: { ...aliases, address_id } }
}

/**
 * The feed's own name for an entry, for entries whose address does not identify the video: at most 200 characters, and in one spelling if
 * it is an address; undefined when the feed gives none. The fragment of an address counts only if the entry's page has the same one.
 * Otherwise it may be a version: the BBC's changes with every correction.
 */
export function guidOf(given: string | undefined, page?: string): string | undefined {
  const text = given === undefined ? undefined : clean(given).trim()
  if (!text) return undefined
  const url = /^https?:/i.test(text) ? webUrlOf(text) : undefined
  if (url === undefined) return short(text)
  const isPage = page !== undefined && canonicalUrl(page) === canonicalUrl(url) && fragmentOf(page) === fragmentOf(url)
  return short(isPage ? placeOf(url) : canonicalUrl(url))
}

/** Distinguishes entries of one document that have the same address: the guid as written, else the place on the page. */
function nameOf(guid: string | undefined, page: string | undefined): string {
  const text = guid === undefined ? '' : clean(guid).trim()
  const url = /^https?:/i.test(text) ? webUrlOf(text) : undefined
  if (url !== undefined) return placeOf(url)
  return text || (page === undefined ? '' : placeOf(page))
}

const placeOf = (url: string) => canonicalUrl(url) + fragmentOf(url)

const short = (guid: string) => (guid.length > 200 ? hash('sha256', guid) : guid)

/** A guid that several entries share identifies none of them, so it is removed. */
export function withOwnGuids(entries: FeedEntry[]): FeedEntry[] {
  const groups = Map.groupBy(entries, ({ guid }) => guid)
  return entries.map(({ guid, ...entry }) =>
    guid !== undefined && groups.get(guid)?.length === 1 ? { ...entry, guid } : entry,
  )
}

/** `named`: an identifier for the same address that also depends on a name, where several entries have that address. */
type ReadableId = { id: string; named(name: string): string }

/**
 * The identifier of a video of an unknown platform, made from its address: a readable part for people, then a hash of the address. At most
 * 200 of `A–Z a–z 0–9 . _ -`, never beginning with a dot, so that it can name a file.
 */
export function readableIdOf(address: string): ReadableId {
  const url = new URL(address)
  const { pathname } = url
  // In the address of a page, the same parameters may name the page.
  const canonical = canonicalUrl(url, isMediaFile(address) ? of_the_moment : undefined)
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

/**
 * The identifier of a channel: YouTube's own, else `host.hash` of the feed's address; fit for a path. Feeds on other hosts can claim
 * anything: a podcast that links to its YouTube channel is not that channel. There the clues count only for a mirror (`is_mirror`), that is
 * when all videos of the feed are YouTube's.
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
