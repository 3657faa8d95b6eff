/** Removes what the queue has of a deleted user. */
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable } from '../postgres/client.ts'
import { backfillKey } from './backfill-queue.ts'
import { downloadKey } from './queue.ts'
import { watchKeys } from './watch-now.ts'

/** Removes all waiting jobs of a user. Running ones are not tried again. */
export const forgetJobs = (sql: Queryable, user_id: UserId) => sql`
  select graphile_worker.remove_job(key)
  from   graphile_worker.jobs
  where  starts_with(key, ${downloadKey({ user_id, video_id: '' })}) or starts_with(key, ${`import:${user_id}:`})
  or     starts_with(key, ${backfillKey({ user_id, channel_id: '' })}) or starts_with(key, ${watchKeys(user_id)})`
