/** Why an attempt of a download failed. `domain/downloads/retries.ts` decides from it when the next attempt starts. */
import { z } from 'zod'

export const Reason = z.enum([
  // The site.
  'rate_limited',
  'bot_check',
  'site_trouble',
  'extraction',
  // This machine.
  'no_room',
  'quota',
  'tools',
  'local',
  'storage',
  // The video, for now.
  'premiere',
  'live',
  'processing',
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
  // The video, for good.
  'removed',
  'password',
  'copy_protected',
  'unsupported',
  'address_refused',
])
export type Reason = z.infer<typeof Reason>
