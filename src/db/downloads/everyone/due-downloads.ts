/** What is due for the downloads of all people: requests of videos that have opened, and files that were not read. */
import { DownloadJob } from '../../../schema/service/jobs.ts'
import type { Everyone } from '../../everyone.ts'
import type { Queryable } from '../../postgres/client.ts'
import { hasOpened } from '../requests.ts'

/**
 * Downloads that wait for their video to open, and whose video has opened. They are found by their state, not by the look that changed it,
 * so that none is lost when a worker dies after a look.
 */
export async function openedDownloads(sql: Everyone<Queryable>): Promise<DownloadJob[]> {
  const rows = await sql<{ user_id: string; video_id: string }[]>`
    select distinct user_id, video_id
    from   video_entries entry
    where  ${hasOpened(sql)}
    limit  500`
  return rows.map(row => DownloadJob.parse(row))
}

/** Each minute. Reading a file costs a tenth of a second of processor time. */
const max_files_at_once = 20

/**
 * Queues files whose length and chapters were not read: files from before these were stored. Each minute takes any of them, so that files
 * that cannot be read now, for instance because the storage is away, keep no others waiting.
 */
export async function queueUnreadFiles(sql: Everyone): Promise<void> {
  await sql`
    select graphile_worker.add_job(
             'read-file',
             payload      := json_build_object('user_id', user_id, 'video_id', video_id),
             job_key      := 'file:' || user_id || ':' || video_id,
             priority     := 20,
             max_attempts := 1)
    from   (select   *
            from     (select distinct user_id, video_id
                      from   video_entries
                      where  download_status = 'COMPLETED' and not file_is_read) unread
            order by random()
            limit    ${max_files_at_once}) turn`
}
