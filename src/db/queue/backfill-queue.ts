/** Queues the jobs that load older videos, in the caller's transaction. People take turns by rounds, as with downloads. */
import type { BackfillJob } from '../../schema/service/jobs.ts'
import type { Queryable } from '../postgres/client.ts'

export const backfillKey = ({ user_id, channel_id }: BackfillJob): string => `backfill:${user_id}:${channel_id}`

/** `site`: the host of the list; null: unknown. `round`: the priority, 0 being the first. */
export type QueuedBackfill = BackfillJob & { site: string | null; round: number }

/**
 * Replaces a waiting job of the same channel. `run_at`: null means now. All jobs of one site are in one queue of graphile-worker, so
 * over all workers one list of a site is read at a time.
 */
export const addBackfill = (
  sql: Queryable,
  { site, round, user_id, channel_id }: QueuedBackfill,
  run_at: Date | null = null,
) => sql`
  -- graphile-worker neither replaces nor adds a job that a worker takes between two statements of its add_job.
  with held as (
    select from graphile_worker._private_jobs where key = ${backfillKey({ user_id, channel_id })} for update
  )
  select graphile_worker.add_job(
    'load-older',
    payload    := ${sql.json({ user_id, channel_id })}::json,
    queue_name := ${`listing:${(site ?? '').slice(0, most_of_site)}`},
    job_key    := ${backfillKey({ user_id, channel_id })},
    priority   := ${round},
    run_at     := ${run_at}::timestamptz)
  from (select count(*) from held) as all_held`

/** Names of queues may have 128 characters. */
const most_of_site = 100

/** Removes a waiting job. A running one stops because it loses its claim. */
export const removeBackfill = (sql: Queryable, job: BackfillJob) => sql`
  select graphile_worker.remove_job(${backfillKey(job)})`
