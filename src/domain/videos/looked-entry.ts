/** What a video that was looked at becomes in a library: an entry, and the channel that it belongs to. Pure. */
import { channelIdOfPage, identityOf } from '../../feed/formats/identity.ts'
import { addressOf } from '../../feed/pages/given-address.ts'
import { isOfChannel, oneAddressOf, platformVideoIdOf } from '../../feed/platforms/by-address.ts'
import { peertubeVideoOf } from '../../feed/platforms/peertube.ts'
import { channelPageOf, isChannelId, isYouTube } from '../../feed/platforms/youtube.ts'
import type { FeedEntry } from '../../schema/sources/feed.ts'
import type { LookedVideo, PlatformChannel } from '../../schema/sources/listing.ts'
import { siteOf } from '../../schema/values/address.ts'

type OwnChannel = { channel_id: string; title: string } & Pick<PlatformChannel, 'page_url' | 'image_url'>

/** The identifier that a feed would give to the video at this address. */
export const videoIdAt = (url: string): string => identityOf(url, { page: url }).video_id

/** What a pasted address may be called in a library. `kind`: what its platform has at such an address. */
export type NamesOfAddress = {
  url: string
  urls: string[]
  video_ids: string[]
  channel_ids: string[]
  kind: 'video' | 'channel' | 'unknown'
}

/** Throws like `addressOf`. */
export function namesOf(pasted: string): NamesOfAddress {
  const url = addressOf(pasted)
  const { video_id, aliases } = identityOf(url, { page: url })
  const video_ids = [video_id, aliases?.former_id, aliases?.spare_id].filter(id => id !== undefined)
  const is_video = platformVideoIdOf(url) !== undefined
  return {
    url,
    urls: spellingsOf(url),
    video_ids,
    channel_ids: is_video ? [] : [channelIdOfPage(url), channelIdOfPage(url, true)],
    kind: is_video ? 'video' : isOfChannel(url) ? 'channel' : 'unknown',
  }
}

/** With https and http, and with and without a slash at the end: both lead to the same page on nearly every site. */
const spellingsOf = (url: string): string[] => {
  const own = [url, oneAddressOf(url)].flatMap(one => [one, one.replace(/\/$/, ''), `${one.replace(/\/$/, '')}/`])
  return [...new Set(own.flatMap(one => [one, one.replace(/^http:/, 'https:'), one.replace(/^https:/, 'http:')]))]
}

/** `given`: the address that a person entered. */
export function entryOfLook(looked: LookedVideo, given: string): { channel: OwnChannel; entry: FeedEntry } {
  const { starts_at, channel, title, ...video } = looked
  // The page of a platform names the video better than what yt-dlp was led to.
  const video_url = [looked.video_url, given].find(url => platformVideoIdOf(url) !== undefined) ?? looked.video_url
  const { video_id, aliases } = identityOf(video_url, { page: video_url })
  return {
    channel: channelOf(channel, video_url),
    entry: {
      ...video,
      video_id,
      video_url,
      title: title ?? video_id,
      // The date of an announced video is the time at which it begins.
      ...(starts_at && { published_at: starts_at, published_precision: 'exact' as const }),
      ...(aliases && { aliases }),
    },
  }
}

/**
 * The channel under the identifier that its feed gives it, so that following it later finds these videos. Where the site names no
 * channel, its videos share one for the site.
 */
function channelOf({ platform_id, title, page_url, image_url }: PlatformChannel, video_url: string): OwnChannel {
  const { origin, hostname } = new URL(video_url)
  const page = platform_id && isChannelId(platform_id) && isYouTube(hostname) ? channelPageOf(platform_id) : page_url
  const site = siteOf(video_url) ?? hostname
  if (page !== null)
    return {
      channel_id: channelIdOfPage(page, peertubeVideoOf(video_url) !== undefined),
      title: title ?? site,
      page_url: page,
      image_url,
    }
  if (platform_id !== null)
    return {
      channel_id: channelIdOfPage(`${origin}/?channel=${encodeURIComponent(platform_id)}`),
      title: title ?? site,
      page_url: `${origin}/`,
      image_url,
    }
  return { channel_id: channelIdOfPage(`${origin}/`), title: site, page_url: `${origin}/`, image_url: null }
}
