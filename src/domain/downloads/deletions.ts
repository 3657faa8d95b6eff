/**
 * Deletes files: into the bin, from which they can be restored for some hours, or at once if there is no bin.
 *
 * A file in the bin has a row there. Whether it has been moved already does not matter: a restore and a purge look in both places, so a
 * process may end at any moment. A completed download whose file is missing is looked for in the bin (`recovered`).
 */
import type { Library } from '../../db/library.ts'
import type { Deletion } from '../../db/rows/bin-rows.ts'
import type { Files, Store } from '../../store/files.ts'

/** Files that are moved or removed in one transaction. */
const files_at_once = 50

/** `guard`: as for `library.downloads.deleteFile`. `false`: there is no such file. */
export async function deleteFile(
  library: Library,
  store: Store,
  video_id: string,
  { deletion, guard }: { deletion?: Deletion; guard?: Parameters<Library['downloads']['deleteFile']>[2] } = {},
): Promise<boolean> {
  const { files, bin } = store
  if (bin.hours === 0) return library.downloads.deleteFile(video_id, files.remove, guard)
  const is_deleted = await library.downloads.discardFile(video_id, files.discard, deletion, guard)
  if (is_deleted) await keepWithinQuota(library, store)
  return is_deleted
}

/** Moves files whose rows are in the bin already, because their channel was unfollowed. */
export async function moveToBin(library: Library, store: Store, video_ids: string[]): Promise<void> {
  for (const some of inParts(video_ids)) await library.bin.whileBinned(some, store.files.discard)
  await keepWithinQuota(library, store)
}

/** The bin of one person has at most as many bytes as the person may keep outside of it. The oldest files are removed first. */
async function keepWithinQuota(library: Library, { files, bin }: Store): Promise<void> {
  const quota_bytes = await library.space.quota(bin.quota_bytes)
  if (quota_bytes !== null) await purgeFiles(library, files, await library.bin.beyond(quota_bytes))
}

/** Removes files in the bin for good. Returns their bytes. */
export async function purgeFiles(library: Library, files: Files, video_ids: string[]): Promise<number> {
  // A file that was not moved into the bin yet, or was just moved out of it, is at its old place.
  const purge = async (...download_paths: string[]) => {
    await files.purge(...download_paths)
    await files.remove(...download_paths)
  }
  let bytes = 0
  for (const some of inParts(video_ids)) bytes += await library.bin.purge(some, purge)
  return bytes
}

/** Empties the bin of one person. Files are removed before the channels, without which they could not be restored. */
export async function emptyBin(library: Library, files: Files): Promise<number> {
  const bytes = await purgeAll(library, files)
  await library.bin.forgetChannels()
  return bytes
}

/** Removes the files of an unfollowed channel for good, and then the channel. `false`: the bin does not have it. */
export async function forgetBinnedChannel(library: Library, files: Files, channel_id: string): Promise<boolean> {
  await purgeAll(library, files, channel_id)
  return (await library.bin.forgetChannels(channel_id)) > 0
}

async function purgeAll(library: Library, files: Files, channel_id?: string): Promise<number> {
  let bytes = 0
  for (;;) {
    const some = await library.bin.videoIds({ limit: 1000, ...(channel_id !== undefined && { channel_id }) })
    if (some.length === 0) return bytes
    bytes += await purgeFiles(library, files, some)
  }
}

/** Whether the file is at its place, or was in the bin and has been moved back to its place. */
export const recovered = (files: Files) => async (download_path: string) =>
  (await files.exists(download_path)) || (await files.recover(download_path))

/** Moves the files of completed downloads that are in the bin back to their places. A download without a file is no longer complete. */
export async function bringBack(library: Library, files: Files, video_ids: string[]): Promise<void> {
  const recover = async (...download_paths: string[]) => {
    const missing: string[] = []
    for (const path of download_paths) if (!(await files.exists(path))) missing.push(path)
    return files.recover(...missing)
  }
  for (const some of inParts(video_ids)) {
    if (await library.downloads.whileCompleted(some, recover)) continue
    for (const video_id of some) await library.downloads.findFile(video_id, recovered(files))
  }
}

export function inParts(list: string[]): string[][] {
  return Array.from({ length: Math.ceil(list.length / files_at_once) }, (_, nth) =>
    list.slice(nth * files_at_once, (nth + 1) * files_at_once),
  )
}
