/** Jobs, added in the caller's own transaction, so that a state and its job are saved together or not at all. */

import { max_attempts } from '../schema/download.ts'
import type { DownloadJob, ImportJob } from '../schema/jobs.ts'
import type { Queryable } from './client.ts'

/** One key per user and video: asking twice leaves one job. */
export const downloadKey = ({ user_id, video_id }: DownloadJob): string => `download:${user_id}:${video_id}`

/** `run_at` null: now. A waiting job of the same video is replaced; one that runs keeps running without its key. */
export const addDownload = (sql: Queryable, job: DownloadJob, run_at: Date | null = null) => sql`
  select graphile_worker.add_job(
    'download',
    payload      := ${sql.json(job)}::json,
    job_key      := ${downloadKey(job)},
    max_attempts := ${max_attempts},
    run_at       := ${run_at}::timestamptz)`

/** Takes a waiting job out; a running one is told by its own claim instead, and is not tried again. */
export const removeDownload = (sql: Queryable, job: DownloadJob) => sql`
  select graphile_worker.remove_job(${downloadKey(job)})`

/** One list of a user after the other; a stretch that adds the next one is not held up by its own key. */
export const addImport = (sql: Queryable, job: ImportJob) => sql`
  select graphile_worker.add_job(
    'import-channels',
    payload    := ${sql.json(job)}::json,
    queue_name := ${`import:${job.user_id}`},
    job_key    := ${`import:${job.user_id}:${job.import_id}`})`
