/** Queues the files of all people whose length and chapters were not read: those from before this was stored. */
import { FileJob } from '../../schema/jobs.ts'
import type { Sql } from '../postgres/client.ts'

/** In a minute. Each costs a tenth of a second of processor time. */
const most_at_once = 20

/** Each minute takes any of them, so that files that cannot be read now, because the storage is away for instance, keep no others waiting. */
export async function queueUnreadFiles(sql: Sql): Promise<void> {
  const unread = await sql`
    select   distinct on (order_of_turn, user_id, video_id) user_id, video_id
    from     (select user_id, video_id, random() as order_of_turn
              from   video_entries
              where  download_status = 'COMPLETED' and not file_is_read) unread
    order by order_of_turn
    limit    ${most_at_once}`
  for (const row of unread) {
    const { user_id, video_id } = FileJob.parse(row)
    await sql`
      select graphile_worker.add_job(
        'read-file',
        payload      := ${sql.json({ user_id, video_id })}::json,
        job_key      := ${`file:${user_id}:${video_id}`},
        priority     := 20,
        max_attempts := 1)`
  }
}
