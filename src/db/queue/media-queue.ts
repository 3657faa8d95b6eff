/** Adds the jobs for MEDIA_DIR. Changes of files add the job of their person by a trigger of the database (migration `media`). */
import type { MediaJob } from '../../schema/service/jobs.ts'
import type { Queryable } from '../postgres/client.ts'

/** One person's jobs run one after the other, and at most one waits. */
export const addMediaUpdate = (sql: Queryable, { user_id }: MediaJob) => sql`
  select graphile_worker.add_job(
    'update-media',
    payload      := ${sql.json({ user_id })}::json,
    queue_name   := ${`media:${user_id}`},
    job_key      := ${`media:${user_id}`})`

/** One such job runs at a time, and at most one waits, even while MEDIA_DIR does not answer. */
export const addRemovalOfTrees = (sql: Queryable) => sql`
  select graphile_worker.add_job('remove-media-trees', queue_name := 'media:deleted', job_key := 'media:deleted')`
