/** Queues the job that starts a download at once, because its person wants to watch it. Its place in the queue stays, in case it cannot. */
import type { DownloadJob } from '../../schema/service/jobs.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable } from '../postgres/client.ts'

export const watchKeys = (user_id: UserId): string => `watch:${user_id}:`

/** A second press on the same video makes no second job. */
export const addWatchNow = (tx: Queryable, { user_id, video_id }: DownloadJob) => tx`
  select graphile_worker.add_job(
    'watch-now',
    payload      := ${tx.json({ user_id, video_id })}::json,
    job_key      := ${watchKeys(user_id) + video_id},
    max_attempts := 1)`

/** How many other jobs of this person run now. */
export async function othersWatched(tx: Queryable, { user_id, video_id }: DownloadJob): Promise<number> {
  const others = await tx`
    select from graphile_worker._private_jobs
    where  task_id = (select id from graphile_worker._private_tasks where identifier = 'watch-now')
    and    locked_at is not null and split_part(key, ':', 2) = ${user_id} and key <> ${watchKeys(user_id) + video_id}`
  return others.length
}
