/** The platforms with one or two rules each. */
import { feedsByPath, listingsByPath, type Platform, pageByAddress, videoIdByPath } from './platform.ts'

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
  videoIdIn: videoIdByPath('odysee', /[:#]([0-9a-f]{40})\/?$/),
}

export const rumble: Platform = {
  hosts: /^rumble\.com$/,
  videoIdIn: videoIdByPath('rumble', /^\/(?:embed\/)?(v[a-z0-9]{4,12})(?:[-/.]|$)/),
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
