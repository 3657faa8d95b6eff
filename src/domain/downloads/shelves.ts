/** The lists of the downloads page: the beginning of every shelf, or a page of one. */
import type { ShelfPage } from '../../db/downloads/shelves.ts'
import type { Library } from '../../db/library.ts'
import { hoursBeginAt } from '../../runtime/download-times.ts'
import { Standing } from '../../schema/downloads/download.ts'
import type { ShelfQuery } from '../../schema/downloads/download-api.ts'
import type { Page, Video } from '../../schema/videos/video.ts'
import type { DownloadsShown, Overview } from '../../schema/videos/video-api.ts'

export async function downloadsOverview(library: Library, query: ShelfQuery, service_bytes: number): Promise<Overview> {
  const shelf = (standing: Standing): Promise<Page<Video>> =>
    query.show === undefined || query.show === standing
      ? library.videos.shelf({
          standing,
          sort: query.sort,
          limit: query.show ? 50 : rows_without_tab[standing],
          cursor: query.show && query.cursor,
        })
      : Promise.resolve({ entries: [], next_cursor: null })
  const [quota_bytes, tally, notices, ...pages] = await Promise.all([
    library.space.quota(service_bytes),
    library.videos.tally(),
    library.videos.siteNotices(),
    ...Standing.options.map(shelf),
  ])
  const [running = empty_page, waiting = empty_page, failed = empty_page, done = empty_page] = pages
  const hours_begin_at = tally.waiting > 0 ? hoursBeginAt() : null
  return { query, tally, notices, shelves: { running, waiting, failed, done }, quota_bytes, hours_begin_at }
}

/** How much of each shelf the page shows without a tab, so that all four are near: of the queue what comes next. */
const rows_without_tab = { running: 20, waiting: 3, failed: 20, done: 6 } satisfies Record<Standing, number>

const empty_page: Page<Video> = { entries: [], next_cursor: null }

/** One page of one shelf, with the totals of all shelves. */
export async function downloadsShown(library: Library, shelf: ShelfPage): Promise<DownloadsShown> {
  const [page, tally] = await Promise.all([library.videos.shelf(shelf), library.videos.tally()])
  return { ...page, tally }
}
