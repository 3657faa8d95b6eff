/** The places of waiting downloads in the queue. */
import type { Download } from '../../schema/download.ts'
import type { UserId } from '../../schema/user.ts'
import type { Queryable } from '../postgres/client.ts'
import { downloadKey, isFree } from './queue.ts'

/**
 * The place of each of these downloads; 1: the next that a worker takes. Downloads that the workers skip for now are not counted,
 * unless the same flags hold back this one as well.
 *
 * All downloads before it are counted in graphile-worker's index of free jobs. The skipped ones are found by our index of flags, and
 * subtracted. So the flags of the other jobs are not read.
 */
export async function placesInQueue(
  sql: Queryable,
  user_id: UserId,
  video_ids: string[],
): Promise<Map<string, number>> {
  const keys = new Map(video_ids.map(video_id => [downloadKey({ user_id, video_id }), video_id]))
  const rows = await sql<{ key: string; place: number }[]>`
    with passed as materialized (
      select distinct flag
      from   workers, unnest(passed_over) as flag
      where  heartbeat_at > now() - interval '15 seconds'
    ),
    queued as materialized (
      select job.id, job.key, job.priority, job.run_at, job.flags
      from   graphile_worker._private_jobs job
      where  key = any(${[...keys.keys()]}) and ${isFree(sql)}
    ),
    wanted as materialized (
      select    id, key, priority, run_at, array_remove(array_agg(passed.flag order by passed.flag), null) as held_by
      from      queued
      cross join jsonb_object_keys(flags) as own (flag)
      left join passed using (flag)
      group by  id, key, priority, run_at
    ),
    -- From each of them to the next, so that every job is counted once, however many places are wanted.
    spans as (
      select *,
             lag(priority, 1, '-32768') over in_order as from_priority,
             lag(run_at, 1, '-infinity') over in_order as from_run_at,
             lag(id, 1, '0')            over in_order as from_id
      from   wanted
      window in_order as (order by priority, run_at, id)
    ),
    all_before as (
      select span.id, sum(counted.jobs) over (order by span.priority, span.run_at, span.id) as place
      from   spans span
      cross join lateral (
        select count(*) as jobs
        from   graphile_worker._private_jobs job
        where  ${isFree(sql)}
        -- The index has the first two columns.
        and    (job.priority, job.run_at) >= (from_priority, from_run_at)
        and    (job.priority, job.run_at) <= (span.priority, span.run_at)
        and    (job.priority, job.run_at, job.id) >  (from_priority, from_run_at, from_id)
        and    (job.priority, job.run_at, job.id) <= (span.priority, span.run_at, span.id)) counted
    ),
    -- For each set of flags that holds back one of them: the jobs that other flags hold back.
    skipped as (
      select for_those.held_by, job.id, job.priority, job.run_at
      from   (select held_by, array(select flag from passed where flag <> all(held_by)) as others, max(priority) as last
              from   wanted
              group by held_by) for_those
      join   graphile_worker._private_jobs job on job.flags ?| others
      where  ${isFree(sql)} and job.priority <= last
    ),
    skipped_before as (
      select id, is_wanted,
             count(*) filter (where not is_wanted) over (partition by held_by order by priority, run_at, id) as jobs
      from   (select held_by, id, priority, run_at, true as is_wanted from wanted
              union all
              select held_by, id, priority, run_at, false from skipped) job
    )
    select wanted.key, (all_before.place - skipped_before.jobs)::int as place
    from   wanted
    join   all_before using (id)
    join   skipped_before using (id)
    where  is_wanted`
  return new Map(rows.map(({ key, place }) => [keys.get(key) ?? '', place]))
}

export type Unplaced<T extends Download> = Omit<T, 'queue_position'>

/** Only waiting downloads have a place; without any, the queue is not read. */
export async function withPlaces<T extends Unplaced<Download>>(sql: Queryable, user_id: UserId, rows: T[]) {
  const waiting = rows.filter(({ queued }) => queued).map(({ video_id }) => video_id)
  const places = waiting.length === 0 ? new Map<string, number>() : await placesInQueue(sql, user_id, waiting)
  return rows.map(row => Object.assign(row, { queue_position: places.get(row.video_id) ?? null }))
}
