/** Asks all platforms what an address is. */
import type { Choice } from '../../schema/sources/discovery.ts'
import { siteOf } from '../../schema/values/address.ts'
import { bilibili, bitchute, dailymotion, feedless, niconico, odysee, rumble, twitch, vimeo } from './others.ts'
import { peertube } from './peertube.ts'
import { hostOf, type Platform } from './platform.ts'
import { youtube } from './youtube.ts'

const platforms_by_host: Platform[] = [
  ...[youtube, vimeo, dailymotion, odysee, twitch, rumble, bitchute, bilibili, niconico],
  ...feedless,
]
// Last, because any host may be one.
const platforms: Platform[] = [...platforms_by_host, peertube]

function platformsAt(address: URL): Platform[] {
  const host = hostOf(address)
  return platforms.filter(({ hosts }) => hosts.test(host))
}

/** The feeds that an address leads to, the best first; empty where the address alone does not tell. */
export function knownFeedsOf(url: string): Choice[] {
  const address = new URL(url)
  return platformsAt(address).flatMap(({ feedsIn }) => feedsIn?.(address) ?? [])
}

/**
 * The pages on which yt-dlp finds all videos that belong to a feed, or to a channel's page: more than one where a platform
 * separates shorts and live streams. Empty where the address does not tell; the channel's own page may then be one.
 */
export function listingsOf(url: string): string[] {
  const address = URL.parse(url)
  return address ? platformsAt(address).flatMap(({ listingsIn }) => listingsIn?.(address) ?? []) : []
}

/** The identifier of the video whose page an address is; undefined for other pages and unknown platforms. */
export function platformVideoIdOf(url: string): string | undefined {
  const address = new URL(url)
  return platformsAt(address)
    .values()
    .map(({ videoIdIn }) => videoIdIn?.(address))
    .find(id => id !== undefined)
}

/** Whether an address is known to be that of a channel or a playlist, and not of one video. */
export const isOfChannel = (url: string): boolean =>
  platformVideoIdOf(url) === undefined && (knownFeedsOf(url).length > 0 || listingsOf(url).length > 0)

/** An address that is the same for all addresses that a platform defines as those of one video; every other address as it is. */
export function oneAddressOf(url: string): string {
  const address = URL.parse(url)
  // A user name, a password or another port may lead to another server or video.
  if (!address || address.username || address.password || address.port) return url
  return (
    platformsAt(address)
      .values()
      .map(({ pageOfVideo }) => pageOfVideo?.(url))
      .find(page => page !== undefined) ?? url
  )
}

/** Whether a host belongs to a platform of few hosts. Anyone can name any number of other hosts. `host`: as `siteOf` returns it. */
export const isKnownHost = (host: string): boolean => platforms_by_host.some(({ hosts }) => hosts.test(host))

/** Whether two addresses are of one site: the same host without `www.` or `m.`, or hosts of one platform. */
export function isOfOneSite(one: string, other: string): boolean {
  const [host, other_host] = [siteOf(one), siteOf(other)]
  if (host === undefined || other_host === undefined) return false
  return host === other_host || platforms_by_host.some(({ hosts }) => hosts.test(host) && hosts.test(other_host))
}

/** A sentence about a platform that has no feeds; undefined for every other address. */
export function feedlessOf(url: string): string | undefined {
  const { hostname } = new URL(url)
  const labels = hostname.split('.')
  // A subdomain belongs to the same platform.
  const hosts = labels.map((_, at) => labels.slice(at).join('.'))
  const name = platforms.find(platform => platform.feedless && hosts.some(host => platform.hosts.test(host)))?.feedless
  return name && `${name} has no feeds. If you know a feed made for this channel, paste its link.`
}
