/** Rumble. */
import { listingsByPath, type Platform, videoIdByPath } from './platform.ts'

export const rumble: Platform = {
  hosts: /^rumble\.com$/,
  videoIdIn: videoIdByPath('rumble', /^\/(?:embed\/)?(v[a-z0-9]{4,12})(?:[-/.]|$)/),
  listingsIn: listingsByPath([[/^\/((?:c|user)\/[\w.-]{1,100})(?:\/|$)/, name => `https://rumble.com/${name}`]]),
  feedless: 'Rumble',
}
