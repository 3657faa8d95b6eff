/** What the downloads page shows: all shelves from their beginning, or a page of one of them. */
import type { ShelfQuery } from './api.ts'
import type { Standing, Tally } from './download.ts'
import type { Page, Video } from './video.ts'

export type Overview = {
  asked: ShelfQuery
  tally: Tally
  shelves: Record<Standing, Page<Video>>
  /** What all files together may take; `null`: as much as the disk has. */
  quota_bytes: number | null
}
