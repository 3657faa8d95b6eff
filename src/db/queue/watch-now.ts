/** Queues the job that starts a download at once, because its person wants to watch it. Its place in the queue stays, in case it cannot. */
import type { DownloadJob } from '../../schema/jobs.ts'
import type { UserId } from '../../schema/user.ts'
import type { Queryable } from '../postgres/client.ts'

export const watchKeys = (user_id: UserId): string => `watch:${user_id}:`

/** A second press on the same video makes no second job. */
export const addWatchNow = (tx: Queryable, { user_id, video_id }: DownloadJob) => tx`
  select graphile_worker.add_job(
    'watch-now',
    payload      := ${tx.json({ user_id, video_id })}::json,
    job_key      := ${watchKeys(user_id) + video_id},
    max_attempts := 1)`
