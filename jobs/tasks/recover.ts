/** Two steps of housekeeping that every worker also takes on its own: recovering from dead workers, and repairing the queue. */
import { forgottenBackfills } from '../../src/db/channels/everyone/backfills.ts'
import { addBackfill } from '../../src/db/queue/jobs.ts'
import { addDownload } from '../../src/db/queue/queue.ts'
import { claimsHeld, forgottenDownloads } from '../../src/db/service/everyone/operations.ts'
import { dead_after_s, recoverFromDeadWorkers } from '../../src/domain/downloads/recovery.ts'
import type { TaskParts } from './task.ts'

type Needed = Pick<TaskParts, 'sql' | 'files' | 'log'>

/** `pause` waits so many milliseconds between the two checks of silent workers. */
export const recover = ({ sql, files, log }: Needed, pause?: (ms: number) => Promise<unknown>): Promise<void> =>
  recoverFromDeadWorkers(sql, files, log, pause)

/** Adds a job for each waiting download and each unfinished backfill that lost its job, and removes the folders that no run needs any longer. */
export async function repairQueue({ sql, files, log }: Needed): Promise<void> {
  for (const { run_at, is_late, ...job } of await forgottenDownloads(sql, dead_after_s)) {
    log.warn({ video_id: job.video_id }, 'a waiting download had no job')
    await addDownload(sql, job, { run_at, place: is_late ? 'last' : 'same' })
  }
  for (const { run_at, ...job } of await forgottenBackfills(sql, dead_after_s)) {
    log.warn({ channel_id: job.channel_id }, 'an unfinished backfill had no job')
    await addBackfill(sql, job, run_at)
  }
  await files.forgetAbandoned(await claimsHeld(sql), new Date())
}
