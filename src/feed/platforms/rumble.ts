/** Rumble. */
import { type Platform, videoIdByPath } from './platform.ts'

export const rumble: Platform = {
  hosts: /^rumble\.com$/,
  videoIdIn: videoIdByPath('rumble', /^\/(?:embed\/)?(v[a-z0-9]{4,12})(?:[-/.]|$)/),
  feedless: 'Rumble',
}
