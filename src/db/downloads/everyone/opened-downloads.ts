/** Downloads of all people that wait for their video to open, and whose video has opened. */
import { DownloadJob } from '../../../schema/service/jobs.ts'
import type { Everyone } from '../../everyone.ts'
import type { Queryable } from '../../postgres/client.ts'
import { hasOpened } from '../reopened.ts'

/** They are found by their state, not by the look that changed it, so that none is lost when a worker dies after a look. */
export async function openedDownloads(sql: Everyone<Queryable>): Promise<DownloadJob[]> {
  const rows = await sql<{ user_id: string; video_id: string }[]>`
    select distinct user_id, video_id
    from   video_entries entry
    where  ${hasOpened(sql)}
    limit  500`
  return rows.map(row => DownloadJob.parse(row))
}
