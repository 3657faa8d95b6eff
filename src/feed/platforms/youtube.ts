/** YouTube's feeds, video identifiers and pictures, by addresses and pages. `youtube-channel.ts` has the identifiers of its channels. */
import type { Choice, FeedKind } from '../../schema/sources/discovery.ts'
import { type PageClues, type Platform, pageByAddress } from './platform.ts'

/** Parameters that change nothing about the video. No value contains `;`, which yt-dlp takes for `&`. */
function passing(first: '&' | '?', ...more: string[]): string {
  const one = `(?:${['t', 'start', 'feature', 'si', 'pp', 'ab_channel', 'app', ...more].join('|')})=[\\w.%~-]*`
  return `(?:\\${first}${one}(?:&${one})*)?$`
}
/** yt-dlp loads the video of such an address, and never the list, because we call it with `--no-playlist`. */
const of_list = ['list', 'index']

export const youtube: Platform = {
  hosts: /(^|\.)(youtube\.com|youtube-nocookie\.com|youtubekids\.com|youtu\.be)$/,
  feedsIn,
  listingsIn,
  videoIdIn({ hostname, port, pathname, searchParams }) {
    // With a port it is another server, and with more of a path another page.
    if (port !== '') return undefined
    const watched = /^\/watch(_popup)?\/?$/.test(pathname) ? searchParams.get('v') : null
    if (watched !== null) return isYouTubeId(watched) ? watched : undefined
    const place = hostname.endsWith('youtu.be') ? short_place : long_place
    const id = place.exec(pathname)?.[1]
    return isYouTubeId(id) ? id : undefined
  },
  pageOfVideo: pageByAddress(
    [
      new RegExp(`^https?://(?:(?:www|m|music)\\.)?youtube\\.com/watch\\?v=([\\w-]{11})${passing('&', ...of_list)}`),
      new RegExp(`^https?://(?:www\\.)?youtu\\.be/(?!videoseries|live_stream)([\\w-]{11})${passing('?', ...of_list)}`),
      new RegExp(
        `^https?://(?:(?:www|m)\\.)?youtube\\.com/(?:shorts|embed|live|v|e)/(?!videoseries|live_stream)([\\w-]{11})${passing('?')}`,
      ),
      /^https?:\/\/(?:www\.)?youtube-nocookie\.com\/embed\/(?!videoseries|live_stream)([\w-]{11})$/,
    ],
    id => `https://www.youtube.com/watch?v=${id}`,
  ),
}

const short_place = /^\/([A-Za-z0-9_-]{11})\/?$/
const long_place = /^\/(?:shorts|embed|live|v|e|watch)\/([A-Za-z0-9_-]{11})\/?$/

export const isYouTube = (hostname: string): boolean => youtube.hosts.test(hostname)

/** Whether a host has the feeds of YouTube's channels, and so their identifiers. Its hosts for short links and players do not. */
export const hasYouTubeFeeds = (hostname: string): boolean => /(^|\.)youtube\.com$/.test(hostname)

/** No identifier of another platform has eleven characters and no dot. Two words in addresses of players are as long. */
export const isYouTubeId = (id: string | undefined): id is string =>
  id !== undefined && /^(?!videoseries$|live_stream$)[A-Za-z0-9_-]{11}$/.test(id)

function feedsIn(address: URL): Choice[] {
  const { pathname, searchParams } = address
  if (isYouTubeFeed(address)) return feedAndParts(oneSpelling(address))
  const [, place, name = ''] = /^\/(channel|user)\/([\w.-]{1,100})(?:\/|$)/.exec(pathname) ?? []
  if (place === 'channel' && isChannelId(name)) return youtubeFeedsOf(name)
  if (place === 'user') return [{ rss_url: `${feed_address}?user=${name}`, kind: 'channel' }]
  const live = pathname === '/embed/live_stream' ? (searchParams.get('channel') ?? '') : ''
  if (isChannelId(live)) return youtubeFeedsOf(live)
  const list = searchParams.get('list')
  // Mixes and private lists have no feed.
  if (!list || !/^(PL|UU|FL|OLAK5uy_)[\w-]{10,60}$/.test(list)) return []
  return feedAndParts(new URL(`${feed_address}?playlist_id=${list}`))
}

/** An address of YouTube that a person or an app wrote in an unusual way, in the usual way. */
export function mendedYouTube(url: string): string {
  if (!isYouTube(new URL(url).hostname)) return url
  return url
    .replaceAll('&amp;', '&')
    .replace(/([?&]v=[\w-]{11})\?/, '$1&')
    .replace(/((?:youtu\.be|\/(?:v|e|embed|live|shorts))\/[\w-]{11})&/, '$1?')
    .replace(/\/source\/([\w-]{11})\/shorts/, '/shorts/$1')
    .replace(/\/browse\/VL([\w-]+)\??/, '/playlist?list=$1&')
    .replace(/&$/, '')
}

export const isVideoInPlaylist = (url: string): boolean => {
  const address = new URL(url)
  return isYouTube(address.hostname) && address.searchParams.has('list') && youtube.videoIdIn?.(address) !== undefined
}

/** Whether an address is that of a feed, and not of a page. */
export const isYouTubeFeed = ({ hostname, pathname }: URL): boolean =>
  hasYouTubeFeeds(hostname) && /^\/(?:xml\/)?feeds\/videos\.xml$/.test(pathname)

/** The usual spelling of a feed's address, so that one feed is not followed under two addresses. */
function oneSpelling(address: URL): URL {
  const name = ['channel_id', 'playlist_id', 'user'].find(known => address.searchParams.has(known))
  // With a port it is another server.
  if (name === undefined || address.port !== '') return address
  return new URL(`${feed_address}?${new URLSearchParams({ [name]: address.searchParams.get(name) ?? '' })}`)
}

/** The feed itself first, then the other parts of its channel. */
function feedAndParts({ href, searchParams }: URL): Choice[] {
  const list = searchParams.get('playlist_id') ?? ''
  const channel = channelIdOf(searchParams)
  if (!channel) return [{ rss_url: href, kind: list ? 'playlist' : 'channel' }]
  const kind = parts.find(({ prefix }) => list.startsWith(prefix) && list.length === 26)?.kind ?? 'channel'
  return [{ rss_url: href, kind }, ...youtubeFeedsOf(channel).filter(other => other.kind !== kind)]
}

/** The channel of a feed, by its own id or by one of its lists of uploads. */
function channelIdOf(parameters: URLSearchParams): string | undefined {
  const list = parameters.get('playlist_id') ?? ''
  const id = parameters.get('channel_id') ?? list.replace(/^UU(?:LF|SH|LV)?(?=[\w-]{22}$)/, 'UC')
  return isChannelId(id) ? id : undefined
}

export const isChannelId = (text: string): boolean => /^UC[\w-]{22}$/.test(text)

export const channelPageOf = (channel_id: string): string => `https://www.youtube.com/channel/${channel_id}`

/** The whole channel, and the three parts of it that YouTube has lists of. `id` begins with UC. */
export const youtubeFeedsOf = (id: string): Choice[] => [
  { rss_url: `${feed_address}?channel_id=${id}`, kind: 'channel' },
  ...parts.map(({ prefix, kind }) => ({ rss_url: `${feed_address}?playlist_id=${prefix}${id.slice(2)}`, kind })),
]

/** The tabs of a channel that its feed contains, or the playlist. YouTube's lists of uploads have no dates, so tabs are better. */
function listingsIn(address: URL): string[] {
  const [best] = feedsIn(address)
  const found = URL.parse(best?.rss_url ?? '')
  if (!best || !found) return tabsOfPage(address)
  const channel = channelIdOf(found.searchParams)
  const user = found.searchParams.get('user')
  if (channel) return tabsIn(best.kind).map(tab => `${channelPageOf(channel)}/${tab}`)
  if (user) return tabsIn(best.kind).map(tab => `https://www.youtube.com/user/${encodeURIComponent(user)}/${tab}`)
  const list = found.searchParams.get('playlist_id')
  return list === null ? [] : [`https://www.youtube.com/playlist?${new URLSearchParams({ list })}`]
}

/** The page of a channel by its handle or its old name. A letter of other scripts has up to nine characters there. */
function tabsOfPage({ hostname, pathname }: URL): string[] {
  const [, place] = /^\/(@[^/]{1,400}|c\/[^/]{1,400})(?:\/|$)/.exec(pathname) ?? []
  return place && hasYouTubeFeeds(hostname)
    ? tabsIn('channel').map(tab => `https://www.youtube.com/${place}/${tab}`)
    : []
}

function tabsIn(kind: FeedKind): string[] {
  const part = parts.find(one => one.kind === kind)
  return part ? [part.tab] : parts.map(({ tab }) => tab)
}

const feed_address = 'https://www.youtube.com/feeds/videos.xml'

/** Undocumented, but used by FreeTube and Miniflux. A channel without shorts, for example, has no list of shorts. */
const parts: { prefix: string; kind: FeedKind; tab: string }[] = [
  { prefix: 'UULF', kind: 'videos', tab: 'videos' },
  { prefix: 'UUSH', kind: 'shorts', tab: 'shorts' },
  { prefix: 'UULV', kind: 'live', tab: 'streams' },
]

export function feedsOnYouTubePage(html: string, clues: PageClues): Choice[] {
  const channel = channelOnPage(html, clues)
  return channel === undefined ? [] : youtubeFeedsOf(channel)
}

/** The most reliable sign first. A single channel in the scripts is reliable too; one of several is not. */
function channelOnPage(html: string, { named, addresses, ids }: PageClues): string | undefined {
  const linked = [...named.map(({ rss_url }) => rss_url), ...addresses].flatMap(
    href => channel_link.exec(href)?.[1] ?? [],
  )
  const [reliable] = [...linked, ...ids.filter(isChannelId)]
  if (reliable) return reliable
  for (const pattern of in_scripts) {
    const found = pattern.exec(html)?.[1]
    if (found) return found
  }
  const [first, ...others] = new Set(Array.from(html.matchAll(/"channelId":"(UC[\w-]{22})"/g), ([, id]) => id))
  return others.length === 0 ? first : undefined
}

const channel_link = /(?:\/channel\/|[?&]channel_id=)(UC[\w-]{22})(?![\w-])/
const in_scripts = [
  /"externalId":"(UC[\w-]{22})"/,
  /"videoDetails":\{[^{}]{0,4000}?"channelId":"(UC[\w-]{22})"/,
  /"externalChannelId":"(UC[\w-]{22})"/,
]

/** In Europe YouTube answers with a page of questions about cookies until this cookie is sent. Source: yt-dlp, `youtube/_base.py`. */
export const youtubeCookies = (hostname: string): string[] => (isYouTube(hostname) ? ['SOCS=CAI'] : [])

/** `is_letterboxed`: it has black bars above and below a picture of 16:9. */
export type PictureSource = { url: string; is_letterboxed: boolean }

/**
 * The addresses of the picture of a video, the best first. A picture of another platform has its own address alone. YouTube's feeds name
 * `hqdefault.jpg`, which has 480 × 360 pixels with black bars. `hq720.jpg` has 1280 × 720 without bars, but old videos have none; then the
 * named picture is fetched, which is one more request.
 */
export function pictureSources(url: string): PictureSource[] {
  const [, start, name = ''] = /^(https?:\/\/i\d?\.ytimg\.com\/vi\/[\w-]{11}\/)(\w+)\.jpg(?:[?#]|$)/.exec(url) ?? []
  const named = { url, is_letterboxed: start !== undefined && letterboxed_pictures.has(name) }
  const is_better = start === undefined || larger_pictures.has(name)
  return is_better ? [named] : [{ url: `${start}hq720.jpg`, is_letterboxed: false }, named]
}

const letterboxed_pictures = new Set(['default', 'hqdefault', 'sddefault', '0'])
const larger_pictures = new Set(['hq720', 'maxresdefault'])
