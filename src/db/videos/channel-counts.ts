/** How many videos of a channel of one user have each status. */
import type { DownloadStatus } from '../../schema/downloads/download.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable } from '../postgres/client.ts'

/** The channel stores the number of all its videos. Few have another status than pending, so only those are counted. */
export async function countsOf(sql: Queryable, user_id: UserId, channel_id: string) {
  const [counts] = await sql<Record<DownloadStatus, number>[]>`
    select     channel.entry_count - others.count as pending, others.downloading, others.completed, others.failed
    from       channels channel
    cross join lateral (
      select count(*),
             count(*) filter (where entry.download_status = 'DOWNLOADING') as downloading,
             count(*) filter (where entry.download_status = 'COMPLETED')   as completed,
             count(*) filter (where entry.download_status = 'FAILED')      as failed
      from   video_entries entry
      where  entry.user_id = channel.user_id and entry.channel_id = channel.channel_id
      and    entry.download_status <> 'PENDING') others
    where      channel.user_id = ${user_id} and channel.channel_id = ${channel_id}`
  return counts
}
