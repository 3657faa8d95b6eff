/** The places of waiting downloads in the queue, what they wait for, and how one is moved before the others of its person. */
import { hoursBeginAt } from '../../runtime/download-times.ts'
import type { Download } from '../../schema/downloads/download.ts'
import type { DownloadJob } from '../../schema/service/jobs.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable } from '../postgres/client.ts'
import { workerJobs } from '../postgres/worker-tables.ts'
import { flagsSkippedNow, userFlag } from './flags.ts'
import { pausedUntil } from './host-pauses.ts'
import { pausedAt, pausedBy } from './paused.ts'
import { downloadKey, inClass, isFree } from './queue.ts'
import { isFetchedByAnother } from './same-video.ts'

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
      where  key = any(${[...keys.keys()]})
      and    (${isFree(sql)}
              or job.is_available and exists (
                   select from video_entries entry
                   where  entry.user_id = ${user_id} and entry.standing = 'waiting' and entry.download_status = 'PENDING'
                   and    key = ${downloadKey({ user_id, video_id: '' })} || entry.video_id
                   and    entry.video_id = any(${video_ids}) and ${isFetchedByAnother(sql)}))
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
      -- \`offset 0\` makes Postgres look up each flag in our index. Only downloads have these flags.
      cross join lateral (
        select id, priority, run_at
        from   ${workerJobs(sql)} job
        where  flags ? flag and job.is_available and job.run_at <= now() and priority <= (select max(priority) from wanted)
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

/** A download before its place in the queue is known, and what it waits for. */
export type Unplaced<T extends Download> = Omit<
  T,
  'queue_position' | 'site_rests_until' | 'held_until' | 'hours_begin_at'
>

/** Only waiting downloads have a place, and wait for something; without any, nothing is read. */
export async function withPlaces<T extends Unplaced<Download>>(sql: Queryable, user_id: UserId, rows: T[]) {
  const waiting = rows.filter(({ queued }) => queued).map(({ video_id }) => video_id)
  const begin_at = hoursBeginAt()
  const [places, waits] =
    waiting.length === 0
      ? [new Map<string, number>(), new Map<string, Wait>()]
      : await Promise.all([placesInQueue(sql, user_id, waiting), waitsOf(sql, user_id, waiting)])
  return rows.map(row =>
    Object.assign(row, {
      queue_position: places.get(row.video_id) ?? null,
      site_rests_until: null,
      held_until: null,
      hours_begin_at: row.queued ? begin_at : null,
      ...waits.get(row.video_id),
    }),
  )
}

type Wait = Pick<Download, 'site_rests_until' | 'held_until' | 'paused_at' | 'paused_by'>

/** What keeps these downloads waiting: a pause of their site, failures of a rule, or their person. */
async function waitsOf(sql: Queryable, user_id: UserId, video_ids: string[]): Promise<Map<string, Wait>> {
  const rows = await sql<(Wait & { video_id: string })[]>`
    select   distinct on (entry.video_id)
             entry.video_id,
             ${pausedUntil(sql, sql`entry.video_host`, user_id)} as site_rests_until,
             (select max(next_probe_at)
              from   rule_holds hold
              where  hold.user_id = ${user_id} and hold.host in ('', entry.video_host) and hold.next_probe_at > now()
              and    entry.download_by_rule
              and    (entry.download_status = 'FAILED' or entry.download_asked_by = 'rule')) as held_until,
             ${pausedAt(sql)} as paused_at,
             ${pausedBy(sql)} as paused_by
    from     video_entries entry
    where    entry.user_id = ${user_id} and entry.video_id = any(${video_ids}) and entry.standing = 'waiting'
    order by entry.video_id, entry.id`
  return new Map(rows.map(({ video_id, ...wait }) => [video_id, wait]))
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
