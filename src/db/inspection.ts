/** The queue as its operators see it, over all users. Only `jobs/inspect.ts` imports this. */
import { DownloadJob } from '../schema/jobs.ts'
import type { Sql } from './client.ts'

export type QueuedJob = {
  id: string
  task: string
  /** Names what it works on; `null`: replaced by a later job of the same key. */
  key: string | null
  attempts: number
  max_attempts: number
  run_at: Date
  created_at: Date
  locked_at: Date | null
  locked_by: string | null
  last_error: string | null
}

const columns = (sql: Sql) => sql`
  id::text as id, task_identifier as task, key, attempts, max_attempts, run_at, created_at, locked_at, locked_by, last_error`

/** The next to run first. */
export const listJobs = (sql: Sql, limit: number): Promise<QueuedJob[]> => sql<QueuedJob[]>`
  select   ${columns(sql)}
  from     graphile_worker.jobs
  order by run_at, id
  limit    ${limit}`

export async function findJob(sql: Sql, id: string): Promise<QueuedJob | undefined> {
  const [job] = await sql<QueuedJob[]>`
    select ${columns(sql)}
    from   graphile_worker.jobs
    where  id = ${id}::bigint`
  return job
}

/** Runs a waiting job now, with all its attempts. `false`: a worker holds it. */
export async function rescheduleJob(sql: Sql, id: string): Promise<boolean> {
  const rows =
    await sql`select id from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at := now(), attempts := 0)`
  return rows.length > 0
}

/** Takes a waiting job out. `false`: a worker holds it. */
export async function removeJob(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql`select id from graphile_worker.complete_jobs(array[${id}::bigint])`
  return rows.length > 0
}

/** What a download's job works on, from its key. */
export function downloadOf({ task, key }: QueuedJob): DownloadJob | undefined {
  const [, user_id, video_id] = /^download:([0-9a-f-]{36}):(.+)$/s.exec(key ?? '') ?? []
  return task === 'download' && user_id ? DownloadJob.parse({ user_id, video_id }) : undefined
}
