/** Records that a video is closed, for all people who follow its feed. */
import type { DownloadJob } from '../../../schema/service/jobs.ts'
import type { Availability } from '../../../schema/sources/facts.ts'
import type { Everyone } from '../../everyone.ts'
import { lockedRules } from './facts.ts'

/**
 * A person's download failed because its video is closed: recorded for all who follow the same feed and have the video under the same
 * address. The answer was the site's own, about its own page, so it does not depend on the person who requested it.
 */
export async function noteClosedVideo(
  sql: Everyone,
  { user_id, video_id }: DownloadJob,
  availability: Availability,
): Promise<void> {
  await sql`
    with own as (
      select rss_url, video_id, video_url
      from   video_entries
      join   channels using (user_id, channel_id)
      where  user_id = ${user_id} and video_id = ${video_id} and rss_url is not null
    ),
    closed as materialized (
      select   entry.user_id, entry.channel_id, entry.id
      from     own
      join     channels follower using (rss_url)
      join     video_entries entry on (entry.user_id, entry.channel_id, entry.video_id)
                                    = (follower.user_id, follower.channel_id, own.video_id)
      where    entry.video_url = own.video_url and entry.availability is distinct from ${availability}
      -- In the order of moves.ts, so that no two statements wait for each other.
      order by entry.user_id, entry.video_id, entry.id
      for update of entry
    ),
    stored as (
      update video_entries entry
      set    availability = ${availability}
      from   closed
      where  (entry.user_id, entry.id) = (closed.user_id, closed.id)
    )
    ${lockedRules(sql, sql`closed`)}`
}
