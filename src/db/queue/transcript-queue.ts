/** Adds the jobs that read subtitles into transcripts, in the transaction that completes a download. */
import type { TranscriptJob } from '../../schema/service/jobs.ts'
import type { Queryable } from '../postgres/client.ts'

/** `is_old`: its subtitles have been on disk for long, so new ones are read first. One job for each video waits at most. */
export const addTranscript = (sql: Queryable, { user_id, video_id }: TranscriptJob, { is_old = false } = {}) => sql`
  select graphile_worker.add_job(
    'read-transcript',
    payload      := ${sql.json({ user_id, video_id })}::json,
    job_key      := ${`transcript:${user_id}:${video_id}`},
    priority     := ${is_old ? 10 : 0},
    max_attempts := 3)`
