/** Removes files from the bins of all people: the oldest files when the disk is full, and files that no row names. */
import { oldestFiles } from '../../db/bin/everyone/bin.ts'
import type { Everyone } from '../../db/everyone.ts'
import { libraryOf } from '../../db/library.ts'
import { UserId } from '../../schema/values/user.ts'
import type { Files } from '../../store/files.ts'
import { videoIdAt } from '../../store/paths.ts'
import { purgeFiles } from '../downloads/deletions.ts'

/** Files that are read at once. */
const batch = 100

/** Removes files from the bins until `hasRoom`, or until no file can be removed. `bytes`: of the removed files. */
export async function makeRoom(
  everyone: Everyone,
  files: Files,
  hasRoom: () => Promise<boolean>,
): Promise<{ has_room: boolean; bytes: number }> {
  let bytes = 0
  for (;;) {
    const before = bytes
    for (const { user_id, video_id } of await oldestFiles(everyone, batch)) {
      if (await hasRoom()) return { has_room: true, bytes }
      // A file that cannot be removed must not fail the download.
      bytes += await purgeFiles(libraryOf(everyone, user_id), files, [video_id]).catch(() => 0)
    }
    if (bytes === before) return { has_room: await hasRoom(), bytes }
  }
}

/** A file stays this many hours longer than files that have a row. */
const margin_h = 24

/**
 * Removes files from the bin that no row names, such as files of a process that ended between a move and the commit when the video was
 * downloaded again, or files of rows that were deleted in other ways. A file that a completed download names is kept: `recovered` looks
 * for it. Returns how many files it removed. `hours`: BIN_HOURS. `limit`: how many files it removes at most.
 */
export async function sweepBin(
  everyone: Everyone,
  files: Files,
  { hours, limit }: { hours: number; limit: number },
  now: Date,
): Promise<number> {
  const newest_ms = now.getTime() - (hours + margin_h) * 3_600_000
  let removed = 0
  for await (const folder of files.binned()) {
    const old = folder.filter(({ binned_at }) => binned_at.getTime() < newest_ms)
    const owner = UserId.safeParse(old[0]?.download_path.split('/')[0])
    if (!owner.success) continue
    const { bin } = libraryOf(everyone, owner.data)
    for (const download_path of await bin.unnamed(old.map(({ download_path }) => download_path))) {
      if (removed >= limit) return removed
      const video_id = videoIdAt(download_path)
      if (video_id !== undefined && (await bin.purgeUnnamed({ download_path, video_id }, files.purge))) removed++
    }
  }
  return removed
}
