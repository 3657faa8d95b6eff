/** The content of the downloads page: the beginning of all shelves, or one page of one shelf. */
import { z } from 'zod'
import { type Standing, Tally } from '../downloads/download.ts'
import type { ShelfQuery } from '../downloads/download-api.ts'
import { next_cursor } from '../values/parameters.ts'
import { type Page, Video } from './video.ts'

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

export const DownloadsShown = z.object({
  entries: z.array(Video),
  next_cursor,
  tally: Tally.describe('The number of downloads on each shelf, on all pages.'),
})

export type DownloadsShown = z.infer<typeof DownloadsShown>
