/** What takes the space of a person's files, and deleting the files that were watched long ago. */
import type { Library } from '../../db/library/library.ts'
import type { BinLimits } from '../../schema/bin.ts'
import { type DeletedWatched, most_deleted, type SpaceShown, type WatchedDays } from '../../schema/space.ts'
import type { ListedVideo, Video } from '../../schema/video.ts'
import type { Files } from '../../store/files.ts'
import { deleteFile } from '../bin/deletions.ts'

export async function spaceShown(library: Library, files: Files, quota_bytes: number | null): Promise<SpaceShown> {
  const { space } = library
  const [tally, free_bytes, channels, watched] = await Promise.all([
    library.videos.tally(),
    freeBytes(files),
    space.byChannel(),
    space.watched(),
  ])
  return { files: tally.done, on_disk_bytes: tally.on_disk_bytes, quota_bytes, free_bytes, channels, watched }
}

/** `null`: object storage does not say how much it can hold. */
export async function freeBytes(files: Files): Promise<number | null> {
  const bytes = await files.freeBytes().catch(() => Number.POSITIVE_INFINITY)
  return Number.isFinite(bytes) ? bytes : null
}

/** The beginning of the lists of the page: the largest files, and those that `deleteWatched` would delete first. */
export async function filesToDelete(
  library: Library,
  older_than_days: WatchedDays,
): Promise<{ largest: Video[]; long_watched: ListedVideo[] }> {
  const [{ entries: largest }, long_watched] = await Promise.all([
    library.videos.shelf({ standing: 'done', sort: 'size', limit: rows_of_list }),
    library.space.watchedVideos(older_than_days, rows_of_list),
  ])
  return { largest, long_watched }
}

const rows_of_list = 20

/** Pinned files, and those that their sites no longer have, stay. `deleted_at`: the time of all of these deletions. */
export async function deleteWatched(
  library: Library,
  files: Files,
  bin: BinLimits,
  older_than_days: WatchedDays,
  deleted_at = new Date(),
): Promise<DeletedWatched> {
  const only = { only_kept_by_rule: false, only_watched: true, not_pinned: true }
  const deleted = { files: 0, bytes: 0 }
  for (const { video_id, file_size } of await library.space.watchedFiles(older_than_days, most_deleted)) {
    // It may have been pinned or marked as unwatched since.
    if (!(await deleteFile(library, files, video_id, bin, { deletion: { deleted_at }, only }))) continue
    deleted.files++
    deleted.bytes += file_size
  }
  const watched = await library.space.watched()
  return { ...deleted, left: watched[older_than_days].files }
}
