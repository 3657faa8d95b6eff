/** The identifier of a channel, from where its feed stands and what it says. Pure. */
import { createHash } from 'node:crypto'
import { canonicalUrl } from '../markup/web-url.ts'

/** What a feed may say about itself; each may be missing, empty or wrong. */
export type ChannelClues = {
  /** `yt:channelId` and `yt:playlistId` of the feed itself. */
  channel?: string | undefined
  playlist?: string | undefined
  /** `yt:channelId` of each entry. */
  entry_channels: string[]
  /** Its own links and its author's. */
  links: string[]
}

/**
 * YouTube's own identifier, else `host.hash` of the feed's address: the same for every fetch of it, and fit for a path.
 * On another host the clues are anybody's word: a podcast that links to its channel on YouTube is not that channel. They
 * count there only when `isMirror`, that is when all that stands in the feed is YouTube's.
 */
export function channelIdOf(address: string, clues: ChannelClues, isMirror = false): string {
  const isOwn = isYouTube(new URL(address).hostname)
  return (
    (isOwn ? fromQuery(address) : undefined) ??
    (isOwn || isMirror ? fromClues(clues) : undefined) ??
    fromAddress(address)
  )
}

const isYouTube = (host: string) => /(^|\.)youtube\.com$/.test(host)
/** `new` is what the page is called on which channels are added. */
const identifier = /^(?!new$)[A-Za-z0-9_-]{1,100}$/

function fromQuery(address: string): string | undefined {
  const { searchParams } = new URL(address)
  const channel = searchParams.get('channel_id')
  const playlist = searchParams.get('playlist_id')
  if (channel && identifier.test(channel)) return channel
  return playlist && identifier.test(playlist) ? channelOfPlaylist(playlist) : undefined
}

/** All uploads, videos alone, shorts alone, live alone and so on are lists of one channel, and followed as that channel. */
const channelOfPlaylist = (playlist: string): string =>
  playlist.replace(/^UU(?:LF|SH|LV|LP|PS|PV|MF|MS|MV|MO)?(?=.{22}$)/, 'UC')

function fromClues({ channel, playlist, entry_channels, links }: ChannelClues): string | undefined {
  if (playlist && identifier.test(playlist)) return channelOfPlaylist(playlist)
  if (channel && identifier.test(channel)) return withPrefix(channel)
  const [linked] = links.map(channelIn).filter(id => id !== undefined)
  const [first, ...others] = new Set(entry_channels)
  return linked ?? (first && others.length === 0 && identifier.test(first) ? withPrefix(first) : undefined)
}

/** Since 2023 YouTube leaves out the `UC` in front of the feed's own, though not of its entries'. */
const withPrefix = (channel: string) => (channel.length === 22 && !channel.startsWith('UC') ? `UC${channel}` : channel)

function channelIn(link: string): string | undefined {
  const url = URL.parse(link)
  if (!url || !isYouTube(url.hostname)) return undefined
  return /\/channel\/(UC[A-Za-z0-9_-]{22})(?:\/|$)/.exec(url.pathname)?.[1] ?? fromQuery(link)
}

function fromAddress(address: string): string {
  const host = new URL(address).hostname.replace(/^www\./, '')
  const hash = createHash('sha256').update(canonicalUrl(address)).digest('hex').slice(0, 16)
  return `${host.replace(/[^A-Za-z0-9.-]/g, '-').slice(0, 100)}.${hash}`
}
