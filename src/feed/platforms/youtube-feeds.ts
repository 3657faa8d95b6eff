/** YouTube's feeds, by the address alone. Pure. */
import type { Choice, FeedKind } from '../../schema/discovery.ts'
import { platformVideoIdOf } from './video-id.ts'

/** Those that an address of YouTube's leads to, the best first. */
export function onYouTube(address: URL): Choice[] {
  const { pathname, searchParams } = address
  if (isYouTubesFeed(address)) return ofYouTubesFeed(oneSpelling(address))
  const [, place, name] = /^\/(channel|user)\/([\w.-]{1,100})(?:\/|$)/.exec(pathname) ?? []
  if (place === 'channel' && isChannel(name)) return youtubeFeedsOf(name)
  if (place === 'user') return [{ rss_url: `${youtube_feed}?user=${name}`, kind: 'channel' }]
  const list = searchParams.get('list')
  // Not the mixes and private lists, which have no feed.
  if (!list || !/^(PL|UU|FL|OLAK5uy_)[\w-]{10,60}$/.test(list)) return []
  return ofYouTubesFeed(new URL(`${youtube_feed}?playlist_id=${list}`))
}

export const isVideoInPlaylist = (url: string): boolean =>
  platformVideoIdOf(url) !== undefined && new URL(url).searchParams.has('list')

/** And not the address of a page. */
export const isYouTubesFeed = ({ hostname, pathname }: URL): boolean =>
  /(^|\.)youtube\.com$/.test(hostname) && /^\/(?:xml\/)?feeds\/videos\.xml$/.test(pathname)

/** As `youtube_feed` has it, so that nobody follows one feed under two addresses. */
function oneSpelling(address: URL): URL {
  const name = ['channel_id', 'playlist_id', 'user'].find(known => address.searchParams.has(known))
  // On a port of its own it is some other server.
  if (name === undefined || address.port !== '') return address
  return new URL(`${youtube_feed}?${new URLSearchParams({ [name]: address.searchParams.get(name) ?? '' })}`)
}

/** It comes first, and the other parts of its channel after it. */
function ofYouTubesFeed({ href, searchParams }: URL): Choice[] {
  const list = searchParams.get('playlist_id') ?? ''
  const channel = searchParams.get('channel_id') ?? list.replace(/^UU(?:LF|SH|LV)?(?=[\w-]{22}$)/, 'UC')
  if (!isChannel(channel)) return [{ rss_url: href, kind: list ? 'playlist' : 'channel' }]
  const kind = lists_of_a_channel.find(({ prefix }) => list.startsWith(prefix) && list.length === 26)?.kind ?? 'channel'
  return [{ rss_url: href, kind }, ...youtubeFeedsOf(channel).filter(other => other.kind !== kind)]
}

const isChannel = (id: string | undefined): id is string => id !== undefined && /^UC[\w-]{22}$/.test(id)

/** All of it, and the three parts of it that YouTube has lists of. `id` is the one with UC in front. */
export const youtubeFeedsOf = (id: string): Choice[] => [
  { rss_url: `${youtube_feed}?channel_id=${id}`, kind: 'channel' },
  ...lists_of_a_channel.map(({ prefix, kind }) => ({
    rss_url: `${youtube_feed}?playlist_id=${prefix}${id.slice(2)}`,
    kind,
  })),
]

const youtube_feed = 'https://www.youtube.com/feeds/videos.xml'
/** Undocumented, in use by FreeTube and Miniflux; any of them may be missing for a channel that has nothing of the kind. */
const lists_of_a_channel: { prefix: string; kind: FeedKind }[] = [
  { prefix: 'UULF', kind: 'videos' },
  { prefix: 'UUSH', kind: 'shorts' },
  { prefix: 'UULV', kind: 'live' },
]
