/** Twitch. */
import { listingsByPath, type Platform, videoIdByPath } from './platform.ts'

export const twitch: Platform = {
  hosts: /^twitch\.tv$/,
  videoIdIn: videoIdByPath('twitch', /^\/videos\/(\d{6,15})/),
  listingsIn: listingsByPath([
    [
      /^\/(?!(?:directory|downloads|jobs|p|search|settings|subscriptions|turbo|videos|wallet)(?:\/|$))(\w{3,25})(?:\/(?:videos|profile|about|schedule))?\/?$/,
      name => `https://www.twitch.tv/${name}/videos`,
    ],
  ]),
  feedless: 'Twitch',
}
