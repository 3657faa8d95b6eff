/** Odysee, formerly LBRY: the feeds of channels. */
import { feedsByPath, listingsByPath, type Platform, videoIdByPath } from './platform.ts'

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
