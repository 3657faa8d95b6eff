/** PeerTube, which anyone can host: known by its paths, and by what its pages say. */
import { z } from 'zod'
import { jsonIn } from '../../runtime/json.ts'
import type { Choice } from '../../schema/sources/discovery.ts'
import { distinctChoices, hostOf, type PageClues, type Platform } from './platform.ts'

export const peertube: Platform = {
  hosts: /^[a-z0-9.-]{1,100}$/,
  videoIdIn(address) {
    const id = /^\/(?:w|videos\/(?:watch|embed))\/([\w-]{22,36})\/?$/.exec(address.pathname)?.[1] ?? ''
    const uuid = long_id.test(id) ? id : short_id.test(id) ? uuidOf(id) : undefined
    // Each server has identifiers of its own.
    return uuid && `${hostOf(address)}.${uuid}`
  },
  pageOfVideo(url) {
    const [, origin, id = ''] =
      /^(https:\/\/[a-z0-9.-]+)\/(?:w|videos\/(?:watch|embed))\/([\w-]{22,36})$/.exec(url) ?? []
    const uuid = long_id.test(id) ? id : short_id.test(id) ? uuidOf(id) : undefined
    return origin && uuid && `${origin}/videos/watch/${uuid}`
  },
}

const long_id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const short_id = /^[1-9A-HJ-NP-Za-km-z]{22}$/

/** PeerTube writes one identifier in two ways, and changed from the long to the short one between versions. */
function uuidOf(short: string): string | undefined {
  const number = [...short].reduce((sum, digit) => sum * 58n + BigInt(digits.indexOf(digit)), 0n)
  const hex = number.toString(16).padStart(32, '0')
  return hex.length > 32 ? undefined : hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
const digits = '123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'

/**
 * The feed of the channel or account at an address. A long path such as `/video-channels/name` is a good enough sign of
 * PeerTube to request that feed first. `/c/name` exists on many other sites, so it counts only with `says_peertube`.
 */
export function peertubeFeedsOf(url: string, says_peertube = false): Choice[] {
  const { origin, pathname } = new URL(url)
  const [, place, name] = (says_peertube ? any_path : sure_path).exec(pathname) ?? []
  if (place === undefined || name === undefined) return []
  const parameter = place.startsWith('a') ? 'accountName' : 'videoChannelName'
  return [{ rss_url: `${origin}/feeds/videos.xml?${parameter}=${name}`, kind: 'channel' }]
}

const sure_path =
  /^\/(video-channels|accounts|[ac](?=\/[^/]+\/(?:videos|video-channels|video-playlists)))\/([\w.@-]{1,150})(?:\/|$)/
const any_path = /^\/(video-channels|accounts|c|a)\/([\w.@-]{1,150})(?:\/|$)/

/**
 * The address of PeerTube's API that lists the videos of a feed's channel or account, or of a playlist's page. Undefined for other
 * addresses, and for pages whose path exists on many other sites.
 */
export function peertubeListingOf(url: string): string | undefined {
  const { origin, pathname, searchParams } = new URL(url)
  const [, playlist] = /^\/(?:w\/p|videos\/watch\/playlist)\/([\w-]{22,36})\/?$/.exec(pathname) ?? []
  if (playlist !== undefined) return `${origin}/api/v1/video-playlists/${playlist}/videos`
  const [, place = '', named] = sure_path.exec(pathname) ?? []
  const is_feed = /^\/feeds\/(?:podcast\/)?videos\.\w{3,5}$/.test(pathname)
  const parameter = (name: string) => (is_feed ? searchParams.get(name) : null)
  const account = parameter('accountName') ?? (place.startsWith('a') ? named : null)
  const channel = parameter('videoChannelName') ?? (place.startsWith('a') ? null : named)
  const name = account ?? channel
  if (name == null || !/^[\w.@-]{1,150}$/.test(name)) return undefined
  return `${origin}/api/v1/${account == null ? 'video-channels' : 'accounts'}/${name}/videos`
}

/** The address of PeerTube's API that says which channel a video belongs to; undefined for other pages. */
export function peertubeVideoOf(url: string): string | undefined {
  const { origin, pathname } = new URL(url)
  const id = /^\/(?:w|videos\/(?:watch|embed))\/([1-9A-HJ-NP-Za-km-z]{22}|[0-9a-f-]{36})\/?$/.exec(pathname)?.[1]
  return id && `${origin}/api/v1/videos/${id}`
}

export const isPeertubeVideo = (url: string): boolean => /^\/api\/v1\/videos\//.test(new URL(url).pathname)

const Video = z.object({ channel: z.object({ url: z.url({ protocol: /^https?$/ }) }) })

/** The pages of the channel that a video belongs to, from the API's answer. They may be on another host. */
export function peertubeOwnersIn(json: string): string[] {
  const { data } = Video.safeParse(jsonIn(json))
  return data ? [data.channel.url] : []
}

/** Every page also names the feed of the whole server, which the address of one video does not mean. */
export function feedsOnPeertubePage(url: string, { named }: PageClues): Choice[] {
  const of_one_channel = named.filter(({ rss_url }) => new URL(rss_url).search !== '')
  return distinctChoices([...peertubeFeedsOf(url, true), ...(peertubeVideoOf(url) ? of_one_channel : named)])
}
