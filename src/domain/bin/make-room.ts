/** Empties the bins of all people on the worker: what has been there for BIN_HOURS, and on a full disk the oldest files first. */
import { oldestFiles } from '../../db/bin/everyone/bin.ts'
import type { Everyone } from '../../db/everyone.ts'
import { libraryOf } from '../../db/library.ts'
import type { Files } from '../../store/files.ts'
import { purgeFiles } from '../downloads/deletions.ts'

const files_in_a_part = 100

/** Removes files from the bins until `hasRoom`, or until no file can be removed. `bytes`: of the removed files. */
export async function makeRoom(
  everyone: Everyone,
  files: Files,
  hasRoom: () => Promise<boolean>,
): Promise<{ has_room: boolean; bytes: number }> {
  let bytes = 0
  for (;;) {
    const before = bytes
    for (const { user_id, video_id } of await oldestFiles(everyone, files_in_a_part)) {
      if (await hasRoom()) return { has_room: true, bytes }
      // A file that cannot be removed must not fail the download.
      bytes += await purgeFiles(libraryOf(everyone, user_id), files, [video_id]).catch(() => 0)
    }
    if (bytes === before) return { has_room: await hasRoom(), bytes }
  }
}
