/** The unfinished backfills that no job will ever run, over all people. */
import { BackfillJob } from '../../../schema/service/jobs.ts'
import type { Everyone } from '../../everyone.ts'
import type { Queryable } from '../../postgres/client.ts'
import { workerJobs } from '../../postgres/worker-tables.ts'
import type { QueuedBackfill } from '../../queue/jobs.ts'

type ForgottenBackfill = QueuedBackfill & { run_at: Date | null }

/**
 * The queue gave their job up, or an operator removed it. A job that a worker runs is locked. `seconds`: a run without a heartbeat for
 * so long has no worker.
 */
export async function forgottenBackfills(sql: Everyone<Queryable>, seconds: number): Promise<ForgottenBackfill[]> {
  const rows = await sql<(Omit<ForgottenBackfill, 'user_id'> & { user_id: string })[]>`
    select user_id, channel_id, site, round, next_attempt_at as run_at
    from   backfills
    where  state in ('queued', 'running')
    and    greatest(requested_at, heartbeat_at) < now() - ${seconds} * interval '1 second'
    and    not exists (
             select from ${workerJobs(sql)} job
             where  job.key = 'backfill:' || backfills.user_id || ':' || backfills.channel_id
             and    (job.is_available or job.locked_at is not null))
    limit  500`
  return rows.map(row => ({ ...row, ...BackfillJob.parse(row) }))
}
