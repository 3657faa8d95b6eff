/** What has to happen every minute: due refreshes, and throwing away what is over. And what every worker does: recovery of what the dead held. */
import type { Task } from 'graphile-worker'
import { sessionsIn } from '../src/auth/sessions.ts'
import { clearSpentJobs, forgetPlans, planVisits, queueDueFeeds } from '../src/db/feeds.ts'
import { libraryOf } from '../src/db/library.ts'
import { forgetOldFailures, forgottenDownloads, staleDownloads, unlockDeadWorkers } from '../src/db/operations.ts'
import { addDownload } from '../src/db/queue.ts'
import { dead_after_s, recoverDownload } from '../src/domain/recovery.ts'
import type { Parts } from './parts.ts'

/** One host is asked five times a second at most, and so gets a minute's worth; the rest stays due until the next one. */
const host_pace = { most: 300, apart_ms: 200 }

/** Longer than any wait between two attempts. */
const left_over_days = 2

export const housekeeping =
  (parts: Parts): Task =>
  async () => {
    const { sql, files } = parts
    for (const job of await forgottenDownloads(sql)) await addDownload(sql, job)
    await files.sweep(left_over_days)
    await scheduleVisits(parts)
    await sessionsIn(sql).forgetExpired()
    await forgetOldFailures(sql)
  }

async function scheduleVisits({ sql, refresh_interval_minutes: minutes }: Parts): Promise<void> {
  await clearSpentJobs(sql)
  if (minutes === 0) return forgetPlans(sql)
  await planVisits(sql, minutes)
  await queueDueFeeds(sql, host_pace)
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
