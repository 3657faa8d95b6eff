/** Platforms of which nothing is known but that they have no feeds. */
import type { Platform } from './platform.ts'

export const feedless: Platform[] = [
  { hosts: /^kick\.com$/, feedless: 'Kick' },
  { hosts: /^tiktok\.com$/, feedless: 'TikTok' },
  { hosts: /^instagram\.com$/, feedless: 'Instagram' },
  { hosts: /^facebook\.com$/, feedless: 'Facebook' },
  { hosts: /^(x|twitter)\.com$/, feedless: 'X' },
]
