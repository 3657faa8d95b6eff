/** What has to happen every minute: due refreshes, and throwing away what is over. And what every worker does: recovery of what the dead held. */
import type { Task } from 'graphile-worker'
import { sessionsIn } from '../src/auth/sessions.ts'
import { libraryOf } from '../src/db/library.ts'
import {
  dueChannels,
  forgetOldFailures,
  forgottenDownloads,
  staleDownloads,
  unlockDeadWorkers,
} from '../src/db/operations.ts'
import { addDownload, addRefresh } from '../src/db/queue.ts'
import { dead_after_s, recoverDownload } from '../src/domain/recovery.ts'
import type { Parts } from './parts.ts'

/** Refreshes added at once; the rest stays due and follows a minute later. */
const most_refreshes = 500

/** Longer than any wait between two attempts. */
const left_over_days = 2

export const housekeeping =
  (parts: Parts): Task =>
  async () => {
    const { sql, files, refresh_interval_minutes } = parts
    for (const job of await forgottenDownloads(sql)) await addDownload(sql, job)
    await files.sweep(left_over_days)
    if (refresh_interval_minutes > 0) {
      for (const job of await dueChannels(sql, refresh_interval_minutes, most_refreshes)) await addRefresh(sql, job)
    }
    await sessionsIn(sql).forgetExpired()
    await forgetOldFailures(sql)
  }

/** Downloads without a sign of life go back into the queue; what dead workers hold there is set free. */
export async function recover({ sql, files, log }: Pick<Parts, 'sql' | 'files' | 'log'>): Promise<void> {
  for (const stale of await staleDownloads(sql, dead_after_s)) {
    log.warn({ video_id: stale.video_id }, 'a download lost its worker')
    await recoverDownload(libraryOf(sql, stale.user_id), files, stale)
  }
  const dead = await unlockDeadWorkers(sql, dead_after_s)
  if (dead.length > 0) log.warn({ workers: dead }, 'set free what dead workers held')
}
