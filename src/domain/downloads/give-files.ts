/** Gives people who wait for a download a copy of the file that another person has, outside of the queue: it needs no slot and no host. */
import { sharedFiles, type WaitingVideo } from '../../db/downloads/everyone/shared-files.ts'
import type { Everyone } from '../../db/everyone.ts'
import { libraryOf } from '../../db/library.ts'
import type { Log } from '../../runtime/log.ts'
import { performDownload, type RunParts } from './perform-download.ts'
import { wantedBy } from './shared-files.ts'

type GiveParts = Omit<RunParts, 'library' | 'download' | 'earliestStart' | 'yieldsSlot' | 'sharing'> & {
  sharing: Everyone
  log: Log
}

/** One after the other, because without hard links each is a copy of the whole file. A download without such a file stays in the queue. */
export async function giveFiles({ log, ...parts }: GiveParts, waiting: WaitingVideo[]): Promise<void> {
  for (const video of waiting) {
    // The job is tried again by another worker.
    parts.stopping.throwIfAborted()
    const { user_id, video_id } = video
    try {
      // Before the run is started, which would show the download as running for a moment.
      if ((await sharedFiles(parts.sharing, wantedBy(video))).length === 0) continue
      await performDownload({ ...parts, library: libraryOf(parts.sharing, user_id) }, video_id)
    } catch (fault) {
      log.warn({ err: fault, video_id }, 'could not give a shared file')
    }
  }
}
