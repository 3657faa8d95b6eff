/** Reads who has the download slots and who waits for one, over all workers and users. Decides nothing. */
import type { SlotQueue, SlotRun } from '../../../schema/downloads/run.ts'
import type { UserId } from '../../../schema/values/user.ts'
import type { Everyone } from '../../everyone.ts'
import type { Queryable } from '../../postgres/client.ts'
import { workerJobs } from '../../postgres/worker-tables.ts'
import { isFree, late_priority } from '../../queue/queue.ts'

/** Downloads are started one after the other, so that two workers never give the last slots to the same person. */
export const oneAtATime = (tx: Everyone<Queryable>) =>
  tx`select pg_advisory_xact_lock(hashtextextended('backlot slots', 0))`

/**
 * `flags`: the flags of jobs that could not run now even if a slot were free. `alive_s`: a worker counts for this long after its last
 * heartbeat. `after_yield_s`: for this long after a person's download yielded its slot, other people come first.
 */
type Limits = { flags(): Promise<string[]>; alive_s: number; after_yield_s: number }

type Queue = Omit<SlotQueue, 'placesAt'>
type WaitingPeople = SlotQueue['waiting']

/** With everyone who waits. Compares all waiting jobs, so it is for decisions that are made every few seconds. */
export const readSlotQueue = (sql: Everyone<Queryable>, limits: Limits): Promise<Queue> =>
  queueWith(sql, limits, (flags, { runs }) => everyoneWaiting(sql, flags, runs))

/**
 * Only with the people who wait that matter for this download: another person, and another person at its host. Without a download:
 * for each run, and for each person who has just yielded a slot.
 */
export const readRivals = (sql: Everyone<Queryable>, limits: Limits, wanted?: SlotRequest): Promise<Queue> =>
  queueWith(sql, limits, (flags, { runs, yielded }) =>
    rivalsOf(sql, flags, wanted ? [wanted] : [...runs, ...yielded.map(user_id => ({ user_id, video_host: null }))]),
  )
type SlotRequest = Pick<SlotRun, 'user_id' | 'video_host'>

async function queueWith(
  sql: Queryable,
  { flags, alive_s, after_yield_s }: Limits,
  readWaiting: (flags: string[], queue: Pick<Queue, 'runs' | 'yielded'>) => Promise<WaitingPeople>,
): Promise<Queue> {
  const [runs, yielded, [{ slots } = { slots: 0 }]] = await Promise.all([
    runsNow(sql),
    sql<{ user_id: UserId }[]>`
      select user_id from turns_given where given_at > now() - ${after_yield_s} * interval '1 second'`,
    sql<{ slots: number }[]>`
      select coalesce(sum((report ->> 'slots')::int), 0)::int as slots
      from   workers
      where  heartbeat_at > now() - ${alive_s} * interval '1 second'`,
  ])
  // Every slot is free, so there is nothing to share.
  if (runs.length + yielded.length === 0) return { slots: 0, runs: [], waiting: [], yielded: [] }
  const queue = { slots, runs, yielded: yielded.map(({ user_id }) => user_id) }
  return { ...queue, waiting: await readWaiting(await flags(), queue) }
}

const runsNow = (sql: Queryable) => sql<SlotRun[]>`
  select distinct on (user_id, video_id)
         user_id,
         download_claim as claim,
         video_host,
         extract(epoch from now() - download_started_at)::float as ran_s,
         download_progress ->> 'phase' in ('merging', 'converting', 'processing') as is_processing,
         download_restarts as restarts
  from   video_entries
  -- A run that copies a file needs no slot.
  where  download_status = 'DOWNLOADING' and not download_copied
  order by user_id, video_id, id`

/** A row `job` has none of the flags. Not `?|`, which compares each job with one flag after the other. */
const hasNone = (sql: Queryable, flags: string[]) => sql`
  not exists (
    select from jsonb_object_keys(job.flags) as flag
    where  flag in (select unnest(${flags}::text[])))`

const everyoneWaiting = (sql: Queryable, flags: string[], runs: SlotRun[]) => sql<WaitingPeople>`
  select distinct
         split_part(key, ':', 2) as user_id,
         (select host
          from   unnest(${[...new Set(runs.flatMap(({ video_host }) => video_host ?? []))]}::text[]) as host
          where  job.flags ? ('host:' || host)) as video_host,
         priority >= ${late_priority} as is_late
  from   ${workerJobs(sql)} job
  where  ${isFree(sql)} and ${hasNone(sql, flags)}`

/** The next job of another person, and one at the host: the first is found in the order of the queue, the second by its flag. */
const rivalsOf = (sql: Queryable, flags: string[], wanted: SlotRequest[]) => sql<WaitingPeople>`
  select distinct rival.*
  from   unnest(${wanted.map(({ user_id }) => user_id)}::text[],
                ${wanted.map(({ video_host }) => video_host)}::text[]) as wanted (user_id, video_host)
  cross join lateral (
    (select   split_part(key, ':', 2) as user_id, null as video_host, priority >= ${late_priority} as is_late
     from     ${workerJobs(sql)} job
     where    ${isFree(sql)} and not job.flags ? ('user:' || wanted.user_id) and ${hasNone(sql, flags)}
     order by priority, run_at
     limit    1)
    union all
    (with at_host as materialized (
       select *
       from   ${workerJobs(sql)} job
       where  ${isFree(sql)} and job.flags ? ('host:' || wanted.video_host)
     )
     select   split_part(key, ':', 2), wanted.video_host, priority >= ${late_priority}
     from     at_host job
     where    not job.flags ? ('user:' || wanted.user_id) and ${hasNone(sql, flags)}
     order by priority
     limit    1)
  ) rival`
