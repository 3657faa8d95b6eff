/** Puts all unfinished backfills of a person back into the queue without jobs, and gives them their jobs again. */
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable } from '../postgres/client.ts'
import { addBackfill, type QueuedBackfill } from '../queue/jobs.ts'

/** A running one stops with its next heartbeat, because it loses its claim. That attempt does not count. The caller removes the jobs. */
export const stopBackfillsIn = (tx: Queryable, user_id: UserId) => tx`
  update backfills
  set    state = 'queued', claim = null, heartbeat_at = null, attempts = greatest(0, attempts - 1)
  where  user_id = ${user_id} and state = 'running'`

export async function queueAgainIn(tx: Queryable, user_id: UserId): Promise<void> {
  const backfills = await tx<(Pick<QueuedBackfill, 'channel_id' | 'site' | 'round'> & { run_at: Date | null })[]>`
    select   channel_id, site, round, next_attempt_at as run_at
    from     backfills
    where    user_id = ${user_id} and state in ('queued', 'running')
    order by round, requested_at, channel_id`
  for (const { run_at, ...backfill } of backfills) await addBackfill(tx, { user_id, ...backfill }, run_at)
}
