/** The places of waiting downloads in the queue, and how one is moved before the others of its person. */
import type { Download } from '../../schema/downloads/download.ts'
import type { DownloadJob } from '../../schema/service/jobs.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable } from '../postgres/client.ts'
import { workerJobs } from '../postgres/worker-tables.ts'
import { flagsSkippedNow, userFlag } from './flags.ts'
import { downloadKey, inClass, isFree } from './queue.ts'
import { waitsForRun } from './same-video.ts'

/**
 * The place of each of these downloads; 1: the next that a worker takes. Downloads that the workers skip for now are not counted,
 * unless the same flags hold back this one as well. A download that waits for another person's run of the same video has a place like
 * every other: without one, its person would know of the run.
 *
 * All downloads before it are counted in graphile-worker's index of free jobs. The skipped ones are found by our index of flags, each
 * flag once, and subtracted. So the flags of the other jobs are not read, and 200 flags take 15 ms where 10,000 downloads wait.
 */
export async function placesInQueue(
  sql: Queryable,
  user_id: UserId,
  video_ids: string[],
): Promise<Map<string, number>> {
  const keys = new Map(video_ids.map(video_id => [downloadKey({ user_id, video_id }), video_id]))
  const rows = await sql<{ key: string; place: number }[]>`
    with passed as materialized (
      select flag, row_number() over ()::int as flag_number
      from   (${flagsSkippedNow(sql)}) passed_over
    ),
    wanted as materialized (
      -- waits_for_run: 1 for a download that waits for a run, which is not free, so it is counted for itself.
      select id, key, priority, least(run_at, now()) as run_at, (run_at > now())::int as waits_for_run
      from   ${workerJobs(sql)} job
      where  key = any(${[...keys.keys()]}) and (${isFree(sql)} or ${waitsForRun(sql)})
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
      select span.id,
             sum(counted.jobs + waits_for_run) over (order by span.priority, span.run_at, span.id) as place
      from   spans span
      cross join lateral (
        select count(*) as jobs
        from   ${workerJobs(sql)} job
        where  ${isFree(sql)}
        -- The index has the first two columns.
        and    (job.priority, job.run_at) >= (from_priority, from_run_at)
        and    (job.priority, job.run_at) <= (span.priority, span.run_at)
        and    (job.priority, job.run_at, job.id) >  (from_priority, from_run_at, from_id)
        and    (job.priority, job.run_at, job.id) <= (span.priority, span.run_at, span.id)) counted
    ),
    skipped as materialized (
      select   id, priority, run_at, array_agg(flag_number order by flag_number) as flags
      from     passed
      -- \`offset 0\` makes Postgres look up each flag in our index.
      cross join lateral (
        select id, priority, run_at
        from   ${workerJobs(sql)} job
        where  flags ? flag and ${isFree(sql)} and priority <= (select max(priority) from wanted)
        offset 0) job
      group by id, priority, run_at
    ),
    -- For each of the wanted downloads and each set of flags: the jobs before it that are skipped because of just these flags.
    skipped_before as (
      select id, flags, is_wanted,
             count(*) filter (where not is_wanted) over (partition by flags order by priority, run_at, id) as jobs
      from   (select id, priority, run_at, flags, false as is_wanted from skipped
              union all
              select id, priority, run_at, kind.flags, true
              from   wanted, (select distinct flags from skipped) kind) job
    )
    select   wanted.key,
             (place - coalesce(sum(jobs) filter (where not before.flags <@ coalesce(own.flags, '{}')), 0))::int as place
    from     wanted
    join     all_before using (id)
    left join skipped own using (id)
    left join skipped_before before on before.id = wanted.id and is_wanted
    group by wanted.key, place`
  return new Map(rows.map(({ key, place }) => [keys.get(key) ?? '', place]))
}

/** A download before its place in the queue is known. */
export type Unplaced<T extends Download> = Omit<T, 'queue_position'>

/** Only waiting downloads have a place; without any, the queue is not read. */
export async function withPlaces<T extends Unplaced<Download>>(sql: Queryable, user_id: UserId, rows: T[]) {
  const waiting = rows.filter(({ queued }) => queued).map(({ video_id }) => video_id)
  const places = waiting.length === 0 ? new Map<string, number>() : await placesInQueue(sql, user_id, waiting)
  return rows.map(row => Object.assign(row, { queue_position: places.get(row.video_id) ?? null }))
}

/**
 * Moves one waiting download before the others of its person. It gets the first place that the person has, and each download before it
 * gets the next of these places. People still take turns: only the jobs of one person exchange their places.
 */
export const moveFirst = (sql: Queryable, job: DownloadJob) => sql`
  with mine as (
    select   id, key, priority, run_at
    from     ${workerJobs(sql)} job
    where    ${isFree(sql)} and job.flags ? ${userFlag(job.user_id)} and ${inClass(sql, 'person')}
    order by id
    for update
  ),
  places as (
    select id, key, priority, run_at, row_number() over (order by priority, run_at, id) as place
    from   mine
  ),
  chosen as (
    select id, place from places where key = ${downloadKey(job)}
  ),
  moved as (
    select places.id, case when places.id = chosen.id then 1 else places.place + 1 end as place
    from   places, chosen
    where  places.place <= chosen.place
  )
  update ${workerJobs(sql)} job
  set    priority = places.priority, run_at = places.run_at
  from   moved
  join   places using (place)
  where  job.id = moved.id`
