/** The content of the downloads page: the beginning of all shelves, or one page of one shelf. */

import type { Standing, Tally } from './download.ts'
import type { ShelfQuery } from './requests.ts'
import type { Page, Video } from './video.ts'

/** A site that keeps downloads waiting. `host`: empty for all sites, which only the person can pause. */
export type SiteNotice = {
  host: string
  waiting: number
  /** When the person paused it; `null`: it runs. */
  paused_at: Date | null
  /** Until when it gets no requests, because it asked for that; `null`: it did not. */
  rests_until: Date | null
  /** Until when a rule waits, because its last downloads from there failed; `null`: it does not. */
  held_until: Date | null
}

export type Overview = {
  query: ShelfQuery
  tally: Tally
  shelves: Record<Standing, Page<Video>>
  notices: SiteNotice[]
  /** The limit for all files of the person; `null`: no quota. */
  quota_bytes: number | null
}
