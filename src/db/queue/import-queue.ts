/** Queues the jobs that work through lists of channels, in the caller's transaction. */
import type { ImportJob } from '../../schema/service/jobs.ts'
import type { Queryable } from '../postgres/client.ts'

/** One list of a user runs after the other. A job that adds its own successor is not blocked by its key. */
export const addImport = (sql: Queryable, job: ImportJob, run_at: Date | null = null) => sql`
  select graphile_worker.add_job(
    'import-channels',
    payload    := ${sql.json(job)}::json,
    queue_name := ${`import:${job.user_id}`},
    job_key    := ${`import:${job.user_id}:${job.import_id}`},
    run_at     := ${run_at}::timestamptz)`
