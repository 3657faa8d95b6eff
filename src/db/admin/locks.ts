/**
 * What the lock of a person does to their work, in the transaction that locks or unlocks. The work of a locked person rests:
 *
 *     downloads    `queue/paused.ts`: all are paused; a running one is handed back with its partial file, and the attempt does not count
 *     backfills    go back into the queue, without a job
 *     imports      stop after the line that they are at, and have no job
 *     feeds, listings, looks, captions    nothing is requested for this person alone; what others want too goes on, for this person as well
 *
 * A trigger ends sessions, tokens and links (migration `secrets`), and each web process ends the answers that it still sends
 * (`routes/http/open-answers.ts`).
 */
import type { UserId } from '../../schema/values/user.ts'
import { requeueIn, type StoppedDownload, stopIn } from '../downloads/stops.ts'
import type { Queryable } from '../postgres/client.ts'
import { addBackfill, addImport, type QueuedBackfill } from '../queue/jobs.ts'
import { forgetJobs } from '../queue/queue.ts'

/** Call after `locked_at` is set. */
export async function stopForLock(tx: Queryable, user_id: UserId): Promise<void> {
  const downloads = await tx<StoppedDownload[]>`
    select video_id, download_claim as claim
    from   video_entries
    where  user_id = ${user_id} and standing in ('waiting', 'running')`
  await stopIn(tx, user_id, downloads)
  // A running backfill stops with its next heartbeat, because it loses its claim. That attempt does not count.
  await tx`
    update backfills
    set    state = 'queued', claim = null, heartbeat_at = null, attempts = greatest(0, attempts - 1)
    where  user_id = ${user_id} and state = 'running'`
  await forgetJobs(tx, user_id)
}

/** Call after `locked_at` is null again. What rested is queued in the order that it had. */
export async function resumeAfterUnlock(tx: Queryable, user_id: UserId): Promise<void> {
  await requeueIn(tx, user_id)
  const backfills = await tx<(Omit<QueuedBackfill, 'user_id'> & { run_at: Date | null })[]>`
    select   channel_id, site, round, next_attempt_at as run_at
    from     backfills
    where    user_id = ${user_id} and state in ('queued', 'running')
    order by round, requested_at, channel_id`
  for (const { run_at, ...backfill } of backfills) await addBackfill(tx, { user_id, ...backfill }, run_at)
  const imports = await tx<{ import_id: string }[]>`
    select   id as import_id
    from     imports
    where    user_id = ${user_id} and finished_at is null and not being_read
    order by created_at`
  for (const { import_id } of imports) await addImport(tx, { user_id, import_id })
}
