/**
 * Takes the jobs of paused downloads away, and gives them back in the order that they had. `queue/paused.ts` says what a pause does.
 */
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable } from '../postgres/client.ts'
import { workerJobs } from '../postgres/worker-tables.ts'
import { isPaused, turnOf } from '../queue/paused.ts'
import { downloadKey, queueAgain, queueAll, type Requester, removeDownloads, requesterOf } from '../queue/queue.ts'
import { movesOf } from './moves.ts'

/** `claim`: of its run; `null`: none has it. */
export type StoppedDownload = { video_id: string; claim: string | null }

/** Removes the jobs, and tells the runs to look whether they are paused. */
export async function stopIn(tx: Queryable, user_id: UserId, downloads: StoppedDownload[]): Promise<void> {
  const video_ids = downloads.map(({ video_id }) => video_id)
  await keepOrder(tx, user_id, video_ids)
  await removeDownloads(tx, user_id, video_ids)
  const claims = downloads.flatMap(({ claim }) => claim ?? [])
  await tx`select pg_notify('download_claim_lost', claim) from unnest(${claims}::text[]) as claim`
}

/**
 * Without jobs, the order of the queue is in the turns: each download gets the time of the request that belongs to its place. Microseconds
 * order the downloads of one request.
 */
const keepOrder = (tx: Queryable, user_id: UserId, video_ids: string[]) => tx`
  with stopped as (
    select    video_id, download_requested_at as requested_at,
              row_number() over (
                order by standing <> 'running', coalesce(job.run_at > now(), false), job.priority, job.run_at, job.id,
                         ${turnOf(tx, 'entry')}, entry.id) as place
    from      (select distinct on (video_id) id, video_id, standing, download_requested_at, download_turn_at
               from     video_entries entry
               where    user_id = ${user_id} and video_id = any(${video_ids})
               order by video_id, id) entry
    left join ${workerJobs(tx)} job on job.key = ${downloadKey({ user_id, video_id: '' })} || entry.video_id
  ),
  times as (
    select requested_at + place * interval '1 microsecond' as turn_at, place
    from   (select requested_at, row_number() over (order by requested_at) as place from stopped) request
  )
  update video_entries entry
  set    download_turn_at = times.turn_at
  from   stopped
  join   times using (place)
  where  user_id = ${user_id} and entry.video_id = stopped.video_id and ${movesOf(tx, user_id).inOrder(video_ids)}`

export type JoblessDownload = {
  video_id: string
  video_host: string | null
  by: Requester
  run_at: Date | null
  is_late: boolean
}

/** Adds a job for each waiting download that is not paused and has none. */
export async function requeueIn(tx: Queryable, user_id: UserId): Promise<void> {
  const jobless = await tx<JoblessDownload[]>`
    select   video_id, video_host, ${requesterOf(tx)} as by, download_next_attempt_at as run_at,
             download_by_rule and download_status = 'FAILED' as is_late
    from     video_entries entry
    where    entry.user_id = ${user_id} and standing = 'waiting' and not ${isPaused(tx)}
    and      id = (select min(twin.id) from video_entries twin
                   where twin.user_id = entry.user_id and twin.video_id = entry.video_id)
    and      not exists (
               select from ${workerJobs(tx)} job
               where  job.key = 'download:' || entry.user_id || ':' || entry.video_id and job.is_available)
    order by ${turnOf(tx, 'entry')}, id`
  const now = jobless.filter(({ run_at }) => run_at === null)
  await queueAll(tx, user_id, now)
  for (const { run_at, is_late, ...job } of jobless)
    if (run_at) await queueAgain(tx, { user_id, ...job }, { run_at, round: is_late ? 'last' : 'same' })
}
