/** Why an attempt at a download failed. What follows from each for the next attempt is in `domain/patience.ts`. */
import { z } from 'zod'

export const Reason = z.enum([
  // About the site.
  'rate_limited',
  'bot_check',
  'site_trouble',
  'extraction',
  // About this machine.
  'no_room',
  'quota',
  'tools',
  'local',
  // About the video, for now.
  'premiere',
  'live',
  'members',
  'sign_in',
  'geography',
  'private',
  'unavailable',
  'not_found',
  'silent',
  'too_long',
  'cut_off',
  'unknown',
  // About the video, for good.
  'removed',
  'password',
  'copy_protected',
  'unsupported',
  'address_refused',
])
export type Reason = z.infer<typeof Reason>
