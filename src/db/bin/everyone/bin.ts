/** The bins of all people: which files are to be removed for good. */
import type { DownloadJob } from '../../../schema/service/jobs.ts'
import type { Everyone } from '../../everyone.ts'

/** Files that were deleted more than so many hours ago, at most `limit`. */
export const expiredFiles = (sql: Everyone, hours: number, limit: number): Promise<DownloadJob[]> => sql<DownloadJob[]>`
  select   user_id, video_id
  from     deleted_files
  where    deleted_at <= now() - ${hours} * interval '1 hour'
  order by deleted_at
  limit    ${limit}`

/** The files that have been in the bin for the longest time. */
export const oldestFiles = (sql: Everyone, limit: number): Promise<DownloadJob[]> => expiredFiles(sql, -1, limit)

/** Deletes what is kept of channels that were unfollowed more than so many hours ago, at most `limit` at once. */
export async function forgetExpiredChannels(sql: Everyone, hours: number, limit: number): Promise<void> {
  await sql`
    delete from deleted_channels
    where (user_id, channel_id) in (
      select   user_id, channel_id
      from     deleted_channels
      where    deleted_at <= now() - ${hours} * interval '1 hour'
      order by deleted_at
      limit    ${limit})`
}
