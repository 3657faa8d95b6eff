/** Plans looks at videos that a feed or a listing should show and does not. Only the jobs import this. */
import type { Sql } from '../postgres/client.ts'

/** What was shown of a feed or a listing: all videos between two published dates, unless they were removed. */
export type Shown = { rss_url: string; from: Date; to: Date; video_ids: string[] }

/** Each time so many, and each video once in so many days, because a list may leave out videos that are still there. */
const [most, again_days] = [5, 30]

/** The missing ones get one look, which then decides for all followers. A list alone proves nothing. */
export async function planMissing(sql: Sql, { rss_url, from, to, video_ids }: Shown): Promise<void> {
  await sql`
    with missing as materialized (
      select   entry.video_id
      from     (select user_id, channel_id from channels where rss_url = ${rss_url} order by user_id, channel_id limit 1) follower
      join     video_entries entry using (user_id, channel_id)
      where    entry.sort_at > ${from} and entry.published_at > ${from} and entry.published_at < ${to}
      and      entry.source = 'feed' and entry.published_precision = 'exact' and entry.look_at is null
      and      coalesce(entry.looked_at < now() - ${again_days} * interval '1 day', true)
      and      coalesce(entry.availability in ('public', 'unlisted', 'age_restricted'), true)
      and      entry.video_id <> all(${video_ids})
      order by entry.sort_at desc
      limit    ${most}
    ),
    planned as materialized (
      select   entry.user_id, entry.id
      from     channels follower
      cross join missing
      join     video_entries entry on (entry.user_id, entry.channel_id, entry.video_id)
                                    = (follower.user_id, follower.channel_id, missing.video_id)
      where    follower.rss_url = ${rss_url} and entry.look_at is null
      order by entry.user_id, entry.video_id, entry.id
      for update of entry
    )
    update video_entries entry
    set    look_at = now(), looks = 1
    from   planned
    where  (entry.user_id, entry.id) = (planned.user_id, planned.id)`
}
