/** Queues the subtitles of all people that were not read yet: those from before transcripts existed, and those whose job failed. */
import { TranscriptJob } from '../../../schema/service/jobs.ts'
import type { Everyone } from '../../everyone.ts'
import { addTranscript } from '../../queue/transcript-queue.ts'

/** Read within a few seconds, so that they delay nothing. The next minute continues. */
const most_at_once = 300

/**
 * A video whose subtitles cannot be read now, because the storage is away for instance, is queued again in a later minute. Each minute takes
 * any of them, so that such videos keep no others waiting. Those of a video in the bin wait for it there.
 */
export async function queueUnread(sql: Everyone): Promise<void> {
  const unread = await sql`
    select   user_id, video_id
    from     transcripts unread
    where    lines is null
    and      exists (
               select from video_entries entry
               where  entry.user_id = unread.user_id and entry.video_id = unread.video_id)
    order by random()
    limit    ${most_at_once}`
  for (const row of unread) await addTranscript(sql, TranscriptJob.parse(row), { is_old: true })
}
