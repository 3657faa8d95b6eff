/** Twitch. */
import { type Platform, videoIdByPath } from './platform.ts'

export const twitch: Platform = {
  hosts: /^twitch\.tv$/,
  videoIdIn: videoIdByPath('twitch', /^\/videos\/(\d{6,15})/),
  feedless: 'Twitch',
}
