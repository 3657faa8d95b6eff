/** What the downloads page shows: all shelves from their beginning, or a page of one of them. */
import type { Sort, Standing, Tally } from './download.ts'
import type { Page, Video } from './video.ts'

export type Asked = {
  /** Absent: the beginning of all four. */
  show?: Standing | undefined
  sort: Sort
  cursor?: string | undefined
}

export type Overview = {
  asked: Asked
  tally: Tally
  shelves: Record<Standing, Page<Video>>
  /** What all files together may take; `null`: as much as the disk has. */
  quota_bytes: number | null
}
