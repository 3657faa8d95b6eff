/** The feeds of platforms that we know, by the address alone: nobody is asked. Pure. */
import type { Choice, FeedKind } from '../../schema/discovery.ts'
import { onYouTube } from './youtube-feeds.ts'

/** Those of a channel, a playlist or a feed's own address, the best first; empty where the address says nothing. */
export function knownFeedsOf(url: string): Choice[] {
  const address = new URL(url)
  const host = address.hostname.replace(/^(www|m|music|gaming)\./, '')
  const platform = platforms.find(({ hosts }) => hosts.test(host))
  return platform?.feedsIn(address) ?? []
}

/**
 * PeerTube is on hosts of anybody's, and known by its paths: sure enough to ask for the feed first when they are
 * long, but `/c/name` could be anything's, and counts only on a page that says it is PeerTube's.
 */
export function peertubeFeedsOf(url: string, says_peertube = false): Choice[] {
  const { origin, pathname } = new URL(url)
  const [, place, name] = (says_peertube ? any_peertube : sure_peertube).exec(pathname) ?? []
  if (place === undefined || name === undefined) return []
  const parameter = place.startsWith('a') ? 'accountName' : 'videoChannelName'
  return [{ rss_url: `${origin}/feeds/videos.xml?${parameter}=${name}`, kind: 'channel' }]
}

const sure_peertube =
  /^\/(video-channels|accounts|[ac](?=\/[^/]+\/(?:videos|video-channels|video-playlists)))\/([\w.@-]{1,150})(?:\/|$)/
const any_peertube = /^\/(video-channels|accounts|c|a)\/([\w.@-]{1,150})(?:\/|$)/

/** Where PeerTube tells which channel a video is of. */
export function peertubeVideoOf(url: string): string | undefined {
  const { origin, pathname } = new URL(url)
  const id = /^\/(?:w|videos\/(?:watch|embed))\/([1-9A-HJ-NP-Za-km-z]{22}|[0-9a-f-]{36})\/?$/.exec(pathname)?.[1]
  return id && `${origin}/api/v1/videos/${id}`
}

/** Said of platforms whose pages would be asked in vain. */
export const feedlessOf = (url: string): string | undefined => {
  const host = new URL(url).hostname.replace(/^(www|m|mobile)\./, '')
  const name = Object.entries(feedless).find(([known]) => host === known || host.endsWith(`.${known}`))?.[1]
  return name && `${name} has no feeds of its own. If somebody offers one of this channel, paste the address of that.`
}

const feedless: Record<string, string> = {
  'rumble.com': 'Rumble',
  'twitch.tv': 'Twitch',
  'kick.com': 'Kick',
  'tiktok.com': 'TikTok',
  'instagram.com': 'Instagram',
  'facebook.com': 'Facebook',
  'x.com': 'X',
  'twitter.com': 'X',
}

type Platform = { hosts: RegExp; feedsIn(address: URL): Choice[] }

const platforms: Platform[] = [
  { hosts: /^(youtube\.com|youtu\.be|youtube-nocookie\.com)$/, feedsIn: onYouTube },
  {
    hosts: /^(odysee\.com|lbry\.tv)$/,
    feedsIn: byPath([
      [/^\/(@[^/:]{1,100}:[0-9a-f]{1,40})(?:\/|$)/, 'channel', name => `https://odysee.com/$/rss/${name}`],
    ]),
  },
  {
    hosts: /^vimeo\.com$/,
    feedsIn: byPath([
      [
        /^\/((?:channels|groups)\/[\w-]{1,100})(?:\/videos)?\/?$/,
        'channel',
        name => `https://vimeo.com/${name}/videos/rss`,
      ],
      // A number alone is a video's.
      [
        /^\/(?!\d+\/?$|(?:about|blog|categories|channels|create|enterprise|features|for-hire|groups|help|join|log_in|manage|ondemand|search|settings|solutions|stats|stock|upgrade|upload|watch)(?:\/|$))([\w-]{1,100})(?:\/videos)?\/?$/,
        'channel',
        name => `https://vimeo.com/${name}/videos/rss`,
      ],
    ]),
  },
  {
    hosts: /^dailymotion\.com$/,
    feedsIn: byPath([
      [/^\/playlist\/(x[a-z0-9]{2,15})(?:\/|$)/, 'playlist', id => `https://www.dailymotion.com/rss/playlist/${id}`],
      [
        /^\/(?:user\/)?(?!(?:browse|embed|hub|legal|library|notifications|partner|playlist|rss|search|settings|signin|signup|user|video)(?:\/|$))([\w.-]{1,100})\/?$/,
        'channel',
        name => `https://www.dailymotion.com/rss/user/${name}`,
      ],
    ]),
  },
  {
    hosts: /^bitchute\.com$/,
    feedsIn: byPath([
      [/^\/channel\/([\w-]{1,100})(?:\/|$)/, 'channel', id => `https://api.bitchute.com/feeds/rss/channel/${id}`],
    ]),
  },
]

function byPath(rules: [RegExp, FeedKind, (found: string) => string][]): Platform['feedsIn'] {
  return ({ pathname }) => {
    for (const [pattern, kind, feedOf] of rules) {
      const found = pattern.exec(pathname)?.[1]
      if (found !== undefined) return [{ rss_url: feedOf(found), kind }]
    }
    return []
  }
}
