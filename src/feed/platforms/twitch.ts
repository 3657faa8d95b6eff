/** Twitch. */
import { listingsByPath, type Platform, pageByAddress, videoIdByPath } from './platform.ts'

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
