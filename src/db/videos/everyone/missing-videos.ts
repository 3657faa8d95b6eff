/** Plans looks at videos that a feed or a listing should show and does not. */
import type { Everyone } from '../../everyone.ts'

/** What was shown of a feed or a listing: all videos between two published dates, unless they were removed. */
export type Shown = { rss_url: string; from: Date; to: Date; video_ids: string[] }

/** Each time so many of each person, and each video once in so many days, because a list may leave out videos that are still there. */
const [most, again_days] = [5, 30]

/**
 * Each person's missing videos get one look, of which the address then decides for all who have it. The first to be looked up are those
 * that most followers have. A list alone proves nothing.
 */
export async function planMissing(sql: Everyone, { rss_url, from, to, video_ids }: Shown): Promise<void> {
  await sql`
    with missing as materialized (
      select entry.user_id, entry.id, entry.video_id
      from   channels follower
      join   video_entries entry using (user_id, channel_id)
      where  follower.rss_url = ${rss_url}
      and    entry.sort_at > ${from} and entry.published_at > ${from} and entry.published_at < ${to}
      and    entry.source = 'feed' and entry.published_precision = 'exact' and entry.look_at is null
      and    coalesce(entry.looked_at < now() - ${again_days} * interval '1 day', true)
      and    coalesce(entry.availability in ('public', 'unlisted', 'age_restricted'), true)
      and    entry.video_id <> all(${video_ids})
    ),
    ranked as (
      select missing.*, row_number() over (partition by user_id order by followers desc, video_id) as place
      from   missing
      join   (select video_id, count(*) as followers from missing group by video_id) counted using (video_id)
    ),
    planned as materialized (
      select   entry.user_id, entry.id
      from     ranked
      join     video_entries entry using (user_id, id)
      where    ranked.place <= ${most} and entry.look_at is null
      order by entry.user_id, entry.video_id, entry.id
      for update of entry
    )
    update video_entries entry
    set    look_at = now(), looks = 1
    from   planned
    where  (entry.user_id, entry.id) = (planned.user_id, planned.id)`
}
