/** Platforms of which nothing is known but that they have no feeds. */
import { listingsByPath, type Platform } from './platform.ts'

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
