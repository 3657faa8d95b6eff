/** The questions asked across users, but for those about feeds (`feeds.ts`). Only the jobs import this; no route ever does. */
import { DownloadJob } from '../schema/jobs.ts'
import type { Sql } from './client.ts'

export type StaleDownload = DownloadJob & { claim: string; attempts: number }

/** Downloads whose run gave no sign of life for `seconds`: its worker is gone. */
export async function staleDownloads(sql: Sql, seconds: number): Promise<StaleDownload[]> {
  const rows = await sql<{ user_id: string; video_id: string; claim: string; attempts: number }[]>`
    select distinct user_id, video_id, download_claim as claim, download_attempts as attempts
    from   video_entries
    where  download_status = 'DOWNLOADING'
    and    download_heartbeat_at < now() - ${seconds} * interval '1 second'`
  return rows.map(({ claim, attempts, ...job }) => ({ ...DownloadJob.parse(job), claim, attempts }))
}

/** Downloads that somebody waits for, but that no job stands for: whatever took it, it will not come by itself. */
export async function forgottenDownloads(sql: Sql): Promise<DownloadJob[]> {
  const rows = await sql`
    select distinct user_id, video_id
    from   video_entries entry
    where  download_requested_at < now() - interval '1 minute'
    and    download_status <> 'DOWNLOADING'
    and    coalesce(download_next_attempt_at, '-infinity') < now() - interval '1 minute'
    and    not exists (
             select from graphile_worker.jobs job
             where  job.key = 'download:' || entry.user_id || ':' || entry.video_id
             and    (job.attempts < job.max_attempts or job.locked_at is not null))`
  return rows.map(row => DownloadJob.parse(row))
}

/** A sign of life of this worker process. */
export async function beatWorker(sql: Sql, worker_id: string): Promise<void> {
  await sql`
    insert into workers (id) values (${worker_id})
    on conflict (id) do update set heartbeat_at = now()`
}

export async function forgetWorker(sql: Sql, worker_id: string): Promise<void> {
  await sql`delete from workers where id = ${worker_id}`
}

/**
 * Sets free what workers without a sign of life for `seconds` hold in the queue; left alone, that takes 4 hours.
 * Returns their ids.
 */
export async function unlockDeadWorkers(sql: Sql, seconds: number): Promise<string[]> {
  const [unlocked] = await sql<{ ids: string[] }[]>`
    with dead as (
      delete from workers
      where  heartbeat_at < now() - ${seconds} * interval '1 second'
      returning id
    ),
    listed as (
      select array_agg(id) as ids from dead
    )
    select ids, graphile_worker.force_unlock_workers(ids)
    from   listed
    where  ids is not null`
  return unlocked?.ids ?? []
}

export async function forgetOldFailures(sql: Sql): Promise<void> {
  await sql`delete from sign_in_failures where started_at < now() - interval '1 day'`
}
