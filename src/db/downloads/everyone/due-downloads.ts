/** What is due for the downloads of all people: requests of videos that have opened, and files that were not read. */
import type { DownloadJob } from '../../../schema/service/jobs.ts'
import type { Everyone } from '../../everyone.ts'
import type { Queryable } from '../../postgres/client.ts'
import { hasOpened } from '../requests.ts'

/**
 * Downloads that wait for their video to open, and whose video has opened. They are found by their state, not by the look that changed it,
 * so that none is lost when a worker dies after a look.
 */
export const openedDownloads = (sql: Everyone<Queryable>): Promise<DownloadJob[]> => sql<DownloadJob[]>`
  select distinct user_id, video_id
  from   video_entries entry
  where  ${hasOpened(sql)}
  limit  500`

/** Each minute. Reading a file costs a tenth of a second of processor time. */
const max_files_at_once = 20

/** Files that are looked at in a minute for what was not read of them. It takes a few milliseconds. */
const max_files_walked = 1000

/**
 * Returns a function that queues files of which something was not read, because they are older than that: their length and chapters, or
 * their streams. The first have an index. For the others, each call looks at the next files of all people, and begins again at the end: an
 * index would serve only the first days after an update. Each minute takes any of them, so that files that cannot be read now, for instance
 * because the storage is away, keep no others waiting.
 */
export function unreadFilesQueue(at_once = max_files_walked): (sql: Everyone) => Promise<void> {
  let last: DownloadJob | undefined
  return async sql => {
    const walked = await sql<(DownloadJob & { is_unread: boolean })[]>`
      select   user_id, video_id, file_streams is null as is_unread
      from     video_entries
      where    standing = 'done' ${last ? sql`and (user_id, video_id) > (${last.user_id}, ${last.video_id})` : sql``}
      order by user_id, video_id
      limit    ${at_once}`
    last = walked.length === at_once ? walked.at(-1) : undefined
    const unread = walked.filter(({ is_unread }) => is_unread)
    await queueUnread(sql, unread)
  }
}

/** Queues some of these files, and of those whose length was not read. */
async function queueUnread(sql: Everyone, found: DownloadJob[]): Promise<void> {
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
                      where  download_status = 'COMPLETED' and not file_is_read
                      union
                      select user_id, video_id
                      from   unnest(${found.map(({ user_id }) => user_id)}::uuid[],
                                    ${found.map(({ video_id }) => video_id)}::text[]) as found (user_id, video_id)) unread
            order by random()
            limit    ${max_files_at_once}) turn`
}
