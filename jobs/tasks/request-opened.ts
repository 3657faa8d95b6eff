/** Requests the downloads again whose video was closed and has opened. A step of housekeeping, and the end of every look. */
import { openedDownloads } from '../../src/db/downloads/everyone/opened-downloads.ts'
import { libraryOf } from '../../src/db/library.ts'
import type { UserId } from '../../src/schema/values/user.ts'
import type { TaskParts } from './task.ts'

export async function requestOpened({ sql, log }: Pick<TaskParts, 'sql' | 'log'>): Promise<void> {
  const opened = Map.groupBy(await openedDownloads(sql), ({ user_id }): UserId => user_id)
  for (const [user_id, downloads] of opened) {
    const video_ids = downloads.map(({ video_id }) => video_id)
    for (const video_id of await libraryOf(sql, user_id).downloads.requestOpened(video_ids))
      log.info({ video_id }, 'a video opened, so its download is requested again')
  }
}
