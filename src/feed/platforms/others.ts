/** The platforms with a few rules each. PeerTube and YouTube have files of their own. */
import { feedsByPath, hostOf, listingsByPath, type Platform, pageByAddress, videoIdByPath } from './platform.ts'

export const twitch: Platform = {
  hosts: /^twitch\.tv$/,
  videoIdIn: videoIdByPath('twitch', /^\/videos\/(\d{6,15})/),
  pageOfVideo: pageByAddress(
    [/^https?:\/\/(?:(?:www|m)\.)?twitch\.tv\/videos\/(\d{6,15})$/],
    id => `https://www.twitch.tv/videos/${id}`,
  ),
  listingsIn: listingsByPath([
    [
      /^\/(?!(?:directory|downloads|jobs|p|search|settings|subscriptions|turbo|videos|wallet)(?:\/|$))(\w{3,25})(?:\/(?:videos|profile|about|schedule))?\/?$/,
      name => `https://www.twitch.tv/${name}/videos`,
    ],
  ]),
  feedless: 'Twitch',
}

/** Formerly LBRY. */
export const odysee: Platform = {
  hosts: /^(odysee\.com|lbry\.tv)$/,
  feedsIn: feedsByPath([
    [/^\/(@[^/:]{1,100}:[0-9a-f]{1,40})(?:\/|$)/, 'channel', name => `https://odysee.com/$/rss/${name}`],
  ]),
  listingsIn: listingsByPath([
    [/^\/(?:\$\/rss\/)?(@[^/:]{1,100}:[0-9a-f]{1,40})(?:\/|$)/, name => `https://odysee.com/${name}`],
  ]),
  videoIdIn: videoIdByPath('odysee', /\/[^/@][^/]*[:#]([0-9a-f]{40})\/?$/),
}

export const rumble: Platform = {
  hosts: /^rumble\.com$/,
  // Without the place of a player or the ending of a page, only a digit tells an identifier from a word such as "videos". A year is none.
  videoIdIn: videoIdByPath(
    'rumble',
    /^\/(?:embed\/|(?=v[a-z]*\d)(?!v[a-z]*(?:19|20)\d\d(?:[-/]|$))|(?=v\w+-[^/]+\.html$))(v[a-z0-9]{4,12})(?:[-/.]|$)/,
  ),
  listingsIn: listingsByPath([[/^\/((?:c|user)\/[\w.-]{1,100})(?:\/|$)/, name => `https://rumble.com/${name}`]]),
  feedless: 'Rumble',
}

export const bitchute: Platform = {
  // The feeds are on `api.`.
  hosts: /^(?:api\.)?bitchute\.com$/,
  feedsIn: feedsByPath([
    [/^\/channel\/([\w-]{1,100})(?:\/|$)/, 'channel', id => `https://api.bitchute.com/feeds/rss/channel/${id}`],
  ]),
  listingsIn: listingsByPath([
    [/^\/(?:feeds\/rss\/)?channel\/([\w-]{1,100})(?:\/|$)/, id => `https://www.bitchute.com/channel/${id}/`],
  ]),
  videoIdIn: videoIdByPath('bitchute', /^\/(?:video|embed)\/([A-Za-z0-9_-]{8,20})(?:\/|$)/),
}

/** The addresses of people and mylists are feeds with `?rss=2.0`. */
export const niconico: Platform = {
  hosts: /^(?:sp\.)?nicovideo\.jp$/,
  listingsIn: listingsByPath([
    [/^\/(?:user\/\d+\/)?(mylist\/\d{1,15})(?:\/|$)/, list => `https://www.nicovideo.jp/${list}`],
    [/^\/user\/(\d{1,15})(?:\/|$)/, person => `https://www.nicovideo.jp/user/${person}/video`],
  ]),
}

/** Platforms of which nothing is known but that they have no feeds. */
export const feedless: Platform[] = [
  {
    hosts: /^kick\.com$/,
    feedless: 'Kick',
    listingsIn: listingsByPath([
      [
        /^\/(?!(?:auth|browse|categories|following|search|video)(?:\/|$))([\w-]{1,100})(?:\/(?:videos|about))?\/?$/,
        name => `https://kick.com/${name}/videos`,
      ],
    ]),
  },
  { hosts: /^tiktok\.com$/, feedless: 'TikTok' },
  { hosts: /^instagram\.com$/, feedless: 'Instagram' },
  { hosts: /^facebook\.com$/, feedless: 'Facebook' },
  { hosts: /^(x|twitter)\.com$/, feedless: 'X' },
]

const vimeoFeedOf = (name: string) => `https://vimeo.com/${name}/videos/rss`

const feedsOnVimeo = feedsByPath([
  [/^\/((?:channels|groups)\/[\w-]{1,100})(?:\/videos)?\/?$/, 'channel', vimeoFeedOf],
  // A path of digits alone is a video.
  [
    /^\/(?!\d+\/?$|(?:about|blog|categories|channels|create|enterprise|features|for-hire|groups|help|join|log_in|manage|ondemand|search|settings|solutions|stats|stock|upgrade|upload|watch)(?:\/|$))([\w-]{1,100})(?:\/videos)?\/?$/,
    'channel',
    vimeoFeedOf,
  ],
])

const listingsOnVimeo = listingsByPath([
  [/^\/((?:(?:channels|groups)\/)?[\w-]{1,100})\/videos\/rss\/?$/, name => `https://vimeo.com/${name}`],
])

export const vimeo: Platform = {
  hosts: /^(player\.)?vimeo\.com$/,
  feedsIn: address => (hostOf(address) === 'vimeo.com' ? feedsOnVimeo(address) : []),
  listingsIn(address) {
    const [feed] = vimeo.feedsIn?.(address) ?? []
    return listingsOnVimeo(feed ? new URL(feed.rss_url) : address)
  },
  videoIdIn: videoIdByPath(
    'vimeo',
    /^\/(?:(?:manage\/)?videos?\/|(?:channels|ondemand)\/[\w-]+\/|groups\/[\w-]+\/videos\/|(?:showcase|album)\/\d+\/video\/|[\w-]+\/review\/)?(?!(?:19|20)\d\d\/[^/])(\d{4,12})(?:\/|$)/,
  ),
  // Text after the number may be the key to an unlisted video.
  pageOfVideo: pageByAddress([/^https?:\/\/(?:www\.)?vimeo\.com\/(\d{4,12})$/], id => `https://vimeo.com/${id}`),
}

const videoIdOnDailymotion = videoIdByPath('dailymotion', /^\/(?:embed\/)?video\/([a-z0-9]{5,20})/)
const videoIdOnShortHost = videoIdByPath('dailymotion', /^\/([xk][a-z0-9]{4,19})\/?$/)
const feedsOnDailymotion = feedsByPath([
  [/^\/playlist\/(x[a-z0-9]{2,15})(?:\/|$)/, 'playlist', id => `https://www.dailymotion.com/rss/playlist/${id}`],
  [
    /^\/(?:user\/)?(?!(?:browse|embed|hub|legal|library|notifications|partner|playlist|rss|search|settings|signin|signup|user|video)(?:\/|$))([\w.-]{1,100})\/?$/,
    'channel',
    name => `https://www.dailymotion.com/rss/user/${name}`,
  ],
])

const listingsOnDailymotion = listingsByPath([
  [/^\/rss\/(playlist\/x[a-z0-9]{2,15})\/?$/, list => `https://www.dailymotion.com/${list}`],
  [/^\/rss\/user\/([\w.-]{1,100})\/?$/, name => `https://www.dailymotion.com/${name}`],
])

export const dailymotion: Platform = {
  hosts: /^(?:(?:geo\.)?dailymotion\.com|dai\.ly)$/,
  feedsIn: address => (hostOf(address) === 'dailymotion.com' ? feedsOnDailymotion(address) : []),
  listingsIn(address) {
    const [feed] = dailymotion.feedsIn?.(address) ?? []
    return listingsOnDailymotion(feed ? new URL(feed.rss_url) : address)
  },
  videoIdIn: address => (hostOf(address) === 'dai.ly' ? videoIdOnShortHost(address) : videoIdOnDailymotion(address)),
  pageOfVideo: pageByAddress(
    [
      /^https?:\/\/(?:www\.)?dailymotion\.com\/(?:embed\/)?video\/([a-z0-9]{5,20})(?:_[\w-]*)?$/,
      /^https?:\/\/dai\.ly\/([xk][a-z0-9]{4,19})$/,
    ],
    id => `https://www.dailymotion.com/video/${id}`,
  ),
}

/** The old numbers and the codes that replaced them name the same videos. */
export const bilibili: Platform = {
  hosts: /^(?:(?:player|space)\.)?bilibili\.com$|^b23\.tv$/,
  videoIdIn(address) {
    const id = bilibiliIdOf(address)
    return id && `bilibili.${id}`
  },
  listingsIn: address => (address.hostname.startsWith('space.') ? listingsOnBilibili(address) : []),
}

const listingsOnBilibili = listingsByPath([
  [/^\/(\d{1,20})(?:\/|$)/, person => `https://space.bilibili.com/${person}/video`],
])

function bilibiliIdOf({ pathname, searchParams }: URL): string | undefined {
  const played = (name: string) => (pathname.endsWith('player.html') ? (searchParams.get(name) ?? '') : '')
  const [, code = played('bvid'), number = played('aid'), episode] =
    /^\/(?:video\/)?(?:(BV1[1-9A-Za-z]{9})|av(\d{1,16}))(?:\/|$)|^\/bangumi\/play\/(ep\d{1,12})(?:\/|$)/i.exec(
      pathname,
    ) ?? []
  if (episode !== undefined) return episode.toLowerCase()
  const id = /^BV1[1-9A-Za-z]{9}$/i.test(code)
    ? `BV${code.slice(2)}`
    : /^\d{1,16}$/.test(number)
      ? bilibiliCodeOf(BigInt(number))
      : undefined
  const part = searchParams.get('p') ?? searchParams.get('page') ?? '1'
  return id && (/^[1-9]\d{0,3}$/.test(part) && part !== '1' ? `${id}_p${part}` : id)
}

/** Bilibili's own conversion of a number into a code; undefined for a number that is too large. */
function bilibiliCodeOf(number: bigint): string | undefined {
  if (number >= 1n << 51n) return undefined
  const places = [8, 7, 0, 5, 1, 3, 2, 4, 6]
  const code: string[] = []
  let remainder = ((1n << 51n) | number) ^ 23442827791579n
  for (const place of places) {
    code[place] = bilibili_digits.charAt(Number(remainder % 58n))
    remainder /= 58n
  }
  return `BV1${code.join('')}`
}
const bilibili_digits = 'FcwAPNKTMug3GV5Lj7EJnHpWsx4tb8haYeviqBz6rkCy12mUSDQX9RdoZf'
