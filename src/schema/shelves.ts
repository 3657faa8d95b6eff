/** The content of the downloads page: the beginning of all shelves, or one page of one shelf. */

import type { Standing, Tally } from './download.ts'
import type { ShelfQuery } from './requests.ts'
import type { Page, Video } from './video.ts'

export type Overview = {
  query: ShelfQuery
  tally: Tally
  shelves: Record<Standing, Page<Video>>
  /** The limit for all files of the person; `null`: no quota. */
  quota_bytes: number | null
}
