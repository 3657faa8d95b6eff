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
  const dead = await sql<{ id: string }[]>`
    delete from workers
    where  heartbeat_at < now() - ${seconds} * interval '1 second'
    returning id`
  const ids = dead.map(({ id }) => id)
  if (ids.length > 0) await sql`select graphile_worker.force_unlock_workers(${ids})`
  return ids
}

export async function forgetOldFailures(sql: Sql): Promise<void> {
  await sql`delete from sign_in_failures where started_at < now() - interval '1 day'`
}
