/** Queues the files of all people whose length and chapters were not read: those from before this was stored. */
import type { Everyone } from '../../everyone.ts'

/** In a minute. Each costs a tenth of a second of processor time. */
const most_at_once = 20

/** Each minute takes any of them, so that files that cannot be read now, because the storage is away for instance, keep no others waiting. */
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
            limit    ${most_at_once}) turn`
}
