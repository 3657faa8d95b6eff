/** Reads who has the download slots and who waits for one, over all workers and users. Decides nothing, and does not read the queue. */
import type { SlotQueue, SlotRun } from '../../../schema/downloads/run.ts'
import type { Everyone } from '../../everyone.ts'
import { hasAny, onlyValue, type Queryable } from '../../postgres/client.ts'
import { pausedUntil } from '../../queue/host-pauses.ts'
import { isLocked } from '../../queue/paused.ts'
import { isFetchedByAnother } from '../../queue/same-video.ts'

/** `alive_s`: a worker counts for this long after its last heartbeat. */
export async function readSlotQueue(sql: Everyone<Queryable>, alive_s: number): Promise<Omit<SlotQueue, 'placesAt'>> {
  const [runs, slots] = await Promise.all([
    runsNow(sql),
    onlyValue<number>(sql`
      select coalesce(sum((report ->> 'slots')::int), 0)::int as slots
      from   workers
      where  heartbeat_at > now() - ${alive_s} * interval '1 second'`),
  ])
  // Every slot is free, so there is nothing to share.
  return { slots, runs, waiting: runs.length === 0 ? [] : await waitersNow(sql) }
}

/** Whether a download waits, of anyone. */
export const isAnyWaiting = (sql: Everyone): Promise<boolean> =>
  hasAny(sql`select from video_entries where standing = 'waiting' limit 1`)

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

/** The condition of `video_entries_waiting_idx`: a person requested the download, and no attempt at it has failed. */
const isRequested = (sql: Queryable) => sql`
  entry.standing = 'waiting' and entry.download_status = 'PENDING' and entry.download_asked_by = 'person'
  and entry.download_paused_at is null`

const max_waiting = 100

/**
 * Each person and host with a download that could start if a slot and a place at its host were free. Steps from one person and host to the
 * next one in the index, so a thousand downloads of one person at one host are read as one.
 */
const waitersNow = (sql: Queryable) => sql<SlotQueue['waiting']>`
  with recursive waiter as (
    (select   entry.user_id, coalesce(entry.video_host, '') as host
     from     video_entries entry
     where    ${isRequested(sql)}
     order by entry.user_id, coalesce(entry.video_host, '')
     limit    1)
    union all
    select next.user_id, next.host
    from   waiter
    cross join lateral (
      select   entry.user_id, coalesce(entry.video_host, '') as host
      from     video_entries entry
      where    ${isRequested(sql)} and (entry.user_id, coalesce(entry.video_host, '')) > (waiter.user_id, waiter.host)
      order by entry.user_id, coalesce(entry.video_host, '')
      limit    1) next
  )
  select waiter.user_id, nullif(waiter.host, '') as video_host
  from   waiter
  -- \`limit\` makes Postgres look up each person and host in the index.
  cross join lateral (
    select from video_entries entry
    where  ${isRequested(sql)} and entry.user_id = waiter.user_id and coalesce(entry.video_host, '') = waiter.host
    -- A download that waits for a run of the same video needs no slot.
    and    not ${isFetchedByAnother(sql)}
    limit  1) startable
  where  not ${isLocked(sql, sql`waiter.user_id`)}
  and    not exists (
           select from download_pauses pause where pause.user_id = waiter.user_id and pause.host in ('', waiter.host))
  and    ${pausedUntil(sql, sql`waiter.host`, sql`waiter.user_id`)} is null
  limit  ${max_waiting}`
