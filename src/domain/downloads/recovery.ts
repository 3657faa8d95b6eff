/** Puts downloads and jobs of dead workers back into the queue. A worker and a run live as long as their heartbeats are recent. */
import { setTimeout } from 'node:timers/promises'
import type { Everyone } from '../../db/everyone.ts'
import { type Library, libraryOf } from '../../db/library.ts'
import {
  type StaleDownload,
  silentWorkers,
  staleDownloads,
  unlockDeadWorkers,
} from '../../db/service/everyone/operations.ts'
import { currentTime } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { max_attempts } from '../../schema/downloads/download.ts'
import type { Files } from '../../store/files.ts'
import { failed } from '../../ytdlp/failures/failure.ts'
import { afterFailure } from './retries.ts'

/** A run without a heartbeat for this many seconds counts as silent; a run sends a heartbeat every second. */
export const dead_after_s = 15

/**
 * Seconds until silent runs and workers are checked again. Runs and workers that are still silent then count as dead. After an outage
 * of the database or of the whole machine, all of them are silent at the first check.
 */
const second_check_s = 5

/** Puts the downloads of dead workers back into the queue, and frees the jobs they held. `pause` waits so many milliseconds. */
export async function recover(
  { sql: everyone, files, log }: { sql: Everyone; files: Files; log: Log },
  pause: (ms: number) => Promise<unknown> = setTimeout,
): Promise<void> {
  const silent = new Set((await staleDownloads(everyone, dead_after_s)).map(({ claim }) => claim))
  const suspects = await silentWorkers(everyone, dead_after_s)
  if (silent.size + suspects.length === 0) return
  await pause(second_check_s * 1000)

  const dead = await unlockDeadWorkers(everyone, dead_after_s, suspects)
  if (dead.length > 0) log.warn({ workers: dead }, 'freed the jobs of dead workers')
  for (const stale of await staleDownloads(everyone, dead_after_s)) {
    if (!silent.has(stale.claim)) continue
    log.warn({ video_id: stale.video_id }, 'a download lost its worker')
    await recoverDownload(libraryOf(everyone, stale.user_id), files, stale).catch((fault: unknown) =>
      log.warn({ err: fault }, 'could not recover a download'),
    )
  }
}

const cut_off = failed('cut_off', 'The download was interrupted three times in a row. Try again later.')

/** A crash counts as an attempt, so that a video which kills its worker every time ends as failed. */
export async function recoverDownload(
  library: Library,
  files: Files,
  { video_id, claim, ...past }: StaleDownload,
): Promise<void> {
  const run = { user_id: library.user_id, video_id, claim }
  // The update checks again, because the run may have sent a heartbeat since.
  const silent_s = dead_after_s
  if (past.attempt < max_attempts) {
    // Files that cannot be left to the next run are fetched again; the download continues all the same.
    const meanwhile = () => files.leaveWork(run).catch(() => {})
    await library.downloads.handBack(video_id, claim, { silent_s, meanwhile })
    return
  }
  const failed = afterFailure(cut_off, past, currentTime())
  if (await library.downloads.fail(video_id, claim, { ...failed, silent_s })) await files.forgetWork(run)
}
