/** Gives stored files to other people who request the same videos: when they request them, and when a run ends. */
import type { Task } from 'graphile-worker'
import {
  recordWaiting,
  sharedFiles,
  type WaitingVideo,
  waitingFor,
  waitingOf,
  wakeNext,
} from '../../src/db/downloads/everyone/shared-files.ts'
import { everyoneIn } from '../../src/db/everyone.ts'
import { libraryOf } from '../../src/db/library.ts'
import { performDownload } from '../../src/domain/downloads/perform-download.ts'
import { wantedBy } from '../../src/domain/downloads/shared-files.ts'
import { ShareEndedJob, ShareRequestedJob } from '../../src/schema/service/jobs.ts'
import { roomMaker } from './bins.ts'
import { type TaskParts, taskOf } from './task-parts.ts'

/** Videos, or people who wait for one, that are read at once. */
const batch = 200

/** Gives a person the files of requested videos that others have already. The queue downloads the videos that no one has. */
export const shareRequestedTask = (parts: TaskParts): Task =>
  taskOf(ShareRequestedJob, async ({ user_id, video_ids }, stopping) => {
    if (!parts.is_sharing) return
    for (let at = 0; at < video_ids.length; at += batch) {
      const waiting = await waitingOf(parts.sql, user_id, video_ids.slice(at, at + batch))
      const hashes_with_file = await recordWaiting(parts.sql, user_id, waiting.map(wantedBy))
      const may_be_there = waiting.filter(video => hashes_with_file.has(wantedBy(video).address_hash))
      await giveFiles(parts, stopping, may_be_there)
    }
  })

/** After a run: gives its file to all who wait for the same video. Without a file, it wakes the next download, which then runs. */
export const shareEndedTask = (parts: TaskParts): Task =>
  taskOf(ShareEndedJob, async ({ address_hash }, stopping) => {
    if (!parts.is_sharing) return
    let people: WaitingVideo[] = []
    do {
      people = await waitingFor(parts.sql, address_hash, people.at(-1), batch)
      await giveFiles(parts, stopping, people)
    } while (people.length === batch)
    await parts.sql.begin(tx => wakeNext(everyoneIn(tx), address_hash))
  })

/**
 * Gives people who wait for a download a copy of the file that another person has, outside of the queue: it needs no slot and no host. One
 * after the other, because without hard links each is a copy of the whole file. A download without such a file stays in the queue.
 */
async function giveFiles(parts: TaskParts, stopping: AbortSignal, waiting: WaitingVideo[]): Promise<void> {
  const { sql, files, room, watchClaim, log, bin_is_here } = parts
  const makeRoom = bin_is_here && { makeRoom: roomMaker(parts) }
  for (const video of waiting) {
    // The job is tried again by another worker.
    stopping.throwIfAborted()
    const { user_id, video_id } = video
    try {
      // Before the run is started, which would show the download as running for a moment.
      if ((await sharedFiles(sql, wantedBy(video))).length === 0) continue
      const library = libraryOf(sql, user_id)
      await performDownload({ library, files, room, watchClaim, stopping, sharing: sql, ...makeRoom }, video_id)
    } catch (fault) {
      log.warn({ err: fault, video_id }, 'could not give a shared file')
    }
  }
}
