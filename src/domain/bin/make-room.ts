/** Empties the bins of all people on the worker: what has been there for BIN_HOURS, and on a full disk the oldest files first. */
import type { Library } from '../../db/library.ts'
import type { DownloadJob } from '../../schema/service/jobs.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Files } from '../../store/files.ts'
import { purgeFiles } from '../downloads/deletions.ts'

export type Bins = {
  /** The files that have been in the bin for the longest time, at most `limit`. */
  oldest(limit: number): Promise<DownloadJob[]>
  libraryOf(user_id: UserId): Library
}

/** Removes files from the bins until `hasRoom`, or until no file can be removed. `bytes`: of the removed files. */
export async function makeRoom(
  bins: Bins,
  files: Files,
  hasRoom: () => Promise<boolean>,
): Promise<{ has_room: boolean; bytes: number }> {
  let bytes = 0
  for (;;) {
    const before = bytes
    for (const { user_id, video_id } of await bins.oldest(100)) {
      if (await hasRoom()) return { has_room: true, bytes }
      // A file that cannot be removed must not fail the download.
      bytes += await purgeFiles(bins.libraryOf(user_id), files, [video_id]).catch(() => 0)
    }
    if (bytes === before) return { has_room: await hasRoom(), bytes }
  }
}
