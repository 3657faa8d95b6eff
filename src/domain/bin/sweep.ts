/**
 * Removes files from the bin that no row names, such as those of a process that ended between a move and the commit when the video was
 * downloaded again, or of rows that were deleted in other ways. A file that a completed download names is kept: `recovered` looks for it.
 */
import type { Everyone } from '../../db/everyone.ts'
import { libraryOf } from '../../db/library.ts'
import { UserId } from '../../schema/values/user.ts'
import type { Files } from '../../store/files.ts'
import { videoIdAt } from '../../store/paths.ts'

/** A file stays this many hours longer than files that have a row. */
const margin_h = 24

type Sweep = {
  everyone: Everyone
  files: Files
  /** BIN_HOURS. */
  hours: number
  /** How many files are removed at most. */
  limit: number
}

/** Returns how many files it removed. */
export async function sweepBin({ everyone, files, hours, limit }: Sweep, now: Date): Promise<number> {
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
