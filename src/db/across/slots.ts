/** Reads who has the download slots and who waits for one, over all workers and users. Decides nothing. Only the jobs import this. */
import type { SlotQueue } from '../../schema/slots.ts'
import type { UserId } from '../../schema/user.ts'
import type { Queryable } from '../postgres/client.ts'
import { late_priority } from '../queue/queue.ts'

/** Downloads are started one after the other, so that two workers never give the last slots to the same person. */
export const oneAtATime = (tx: Queryable) => tx`select pg_advisory_xact_lock(hashtextextended('backlot slots', 0))`

/**
 * `paused`: the flags of jobs that could not run now even if a slot were free. `alive_s`: a worker counts for this long after its
 * last heartbeat. `after_yield_s`: for this long after a person's download yielded its slot, other people come first.
 */
export async function readSlotQueue(
  sql: Queryable,
  { paused, alive_s, after_yield_s }: { paused(): Promise<string[]>; alive_s: number; after_yield_s: number },
): Promise<Omit<SlotQueue, 'placesAt'>> {
  const runs = await sql<SlotQueue['runs']>`
    select distinct on (user_id, video_id)
           user_id,
           download_claim as claim,
           video_host,
           extract(epoch from now() - download_started_at)::float as ran_s,
           download_progress ->> 'phase' in ('converting', 'processing') as is_processing,
           download_restarts as restarts
    from   video_entries
    where  download_status = 'DOWNLOADING'
    order by user_id, video_id, id`
  const yielded = await sql<{ user_id: UserId }[]>`
    select user_id from turns_given where given_at > now() - ${after_yield_s} * interval '1 second'`
  // Every slot is free, so there is nothing to share.
  if (runs.length + yielded.length === 0) return { slots: 0, runs: [], waiting: [], yielded: [] }
  const skipped = await paused()
  const [{ slots } = { slots: 0 }] = await sql<{ slots: number }[]>`
    select coalesce(sum((report ->> 'slots')::int), 0)::int as slots
    from   workers
    where  heartbeat_at > now() - ${alive_s} * interval '1 second'`
  const hosts = [...new Set(runs.flatMap(({ video_host }) => video_host ?? []))]
  const waiting = await sql<SlotQueue['waiting']>`
    select distinct
           split_part(key, ':', 2) as user_id,
           (select host from unnest(${hosts}::text[]) as host where flags ? ('host:' || host)) as video_host,
           priority >= ${late_priority} as is_late
    from   graphile_worker.jobs
    where  task_identifier = 'download' and locked_at is null and run_at <= now() and attempts < max_attempts
    and    (flags ?| ${skipped}) is not true`
  return {
    slots,
    runs,
    waiting,
    yielded: yielded.map(({ user_id }) => user_id),
  }
}
