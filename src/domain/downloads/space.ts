/** What takes the space of a person's files, and deleting the files of a channel, or files that were watched long ago. */
import type { SpaceFile } from '../../db/downloads/space.ts'
import type { Library } from '../../db/library.ts'
import { currentTime } from '../../runtime/clock.ts'
import type { Channel } from '../../schema/channels/channel.ts'
import {
  type ChannelFiles,
  type DeletedFiles,
  max_files_per_deletion,
  type SpaceShown,
  type WatchedDays,
} from '../../schema/downloads/space.ts'
import type { ListedVideo, Video } from '../../schema/videos/video.ts'
import type { Files, Store } from '../../store/files.ts'
import { getChannel } from '../get.ts'
import { deleteFile } from './deletions.ts'

export async function spaceShown(library: Library, files: Files, service_bytes: number): Promise<SpaceShown> {
  const { space } = library
  const [quota_bytes, tally, free_bytes, channels, watched] = await Promise.all([
    space.quota(service_bytes),
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

/** The beginning of the lists of the page: the largest files, and the files that `deleteWatched` would delete first. */
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

/** Pinned files, and files that their sites no longer offer, stay. `deleted_at`: one time for all of these deletions. */
export async function deleteWatched(
  library: Library,
  store: Store,
  older_than_days: WatchedDays,
  deleted_at = currentTime(),
): Promise<DeletedFiles> {
  const found = await library.space.watchedFiles(older_than_days, max_files_per_deletion)
  // A video may have been marked as unwatched since.
  const deleted = await deleteFiles(library, store, found, deleted_at, { only_watched: true })
  const watched = await library.space.watched()
  return { ...deleted, left: watched[older_than_days].files }
}

export type FilesOfChannel = ChannelFiles & { channel: Channel }

/** Throws `not_found`. */
export async function filesOfChannel(library: Library, channel_id: string): Promise<FilesOfChannel> {
  const channel = await getChannel(library, channel_id)
  return { channel, ...(await library.space.ofChannel(channel_id)) }
}

/** Deletes the files that are not pinned. Their videos stay in the list. Throws `not_found`. */
export async function deleteFilesOfChannel(
  library: Library,
  store: Store,
  channel_id: string,
  deleted_at: Date,
): Promise<DeletedFiles> {
  await getChannel(library, channel_id)
  const found = await library.space.channelFiles(channel_id, max_files_per_deletion)
  const deleted = await deleteFiles(library, store, found, deleted_at)
  return { ...deleted, left: (await library.space.ofChannel(channel_id)).files }
}

/** Counts the deleted files: a file may have been pinned since the query. */
async function deleteFiles(
  library: Library,
  store: Store,
  found: SpaceFile[],
  deleted_at: Date,
  also: { only_watched?: boolean } = {},
): Promise<{ files: number; bytes: number }> {
  const guard = { only_kept_by_rule: false, not_pinned: true, ...also }
  const deleted = { files: 0, bytes: 0 }
  for (const { video_id, file_size } of found) {
    if (!(await deleteFile(library, store, video_id, { deletion: { deleted_at }, guard }))) continue
    deleted.files++
    deleted.bytes += file_size
  }
  return deleted
}
