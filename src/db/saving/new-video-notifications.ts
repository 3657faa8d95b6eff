/** Records the new videos of a save in the outbox, for channels with a bell: a part of the statement in `save-statement.ts`. */
import { max_videos_named } from '../../schema/notifications/message.ts'
import { hasTargetFor } from '../notifications/outbox.ts'
import { type Queryable, sharedPiece } from '../postgres/client.ts'

/** Condition: the row `own` of a followed channel has a bell, or one of its groups has. */
const hasBell = (sql: Queryable) => sql`
  (own.bell or exists (
     select from channel_groups member
     where  (member.user_id, member.channel_id) = (own.user_id, own.channel_id)
     and    exists (
              select from groups
              where  groups.user_id = member.user_id and groups.group_id = member.group_id
              and    groups.bell and groups.deleted_at is null)))`

/**
 * Writes one row for each channel with a bell, from the rows `saved` with `inserted`, `source` and `sort_at`. It reads the channels as they
 * were before the save, so what the first fetch of a channel finds is no news. Neither is a video that its person added by its address.
 */
export const newVideoNotifications = sharedPiece(
  sql => sql`
  insert into notifications (user_id, event, channel_id, video_ids, videos)
  select   added.user_id, 'new_video', channel.id, newest.video_ids, added.videos
  from     (select   user_id, channel_id, count(*) as videos
            from     saved
            where    inserted and source <> 'address'
            group by user_id, channel_id) added
  cross join lateral (
    select id
    from   channels own
    where  (own.user_id, own.channel_id) = (added.user_id, added.channel_id)
    and    own.rss_url is not null and own.last_fetched_at is not null
    and    ${hasBell(sql)} and ${hasTargetFor(sql, sql`own.user_id`, 'new_video')}
    offset 0
  ) channel
  cross join lateral (
    select array(select   video_id
                 from     saved
                 where    saved.channel_id = added.channel_id and saved.user_id = added.user_id
                 and      inserted and source <> 'address'
                 order by sort_at desc, video_id
                 limit    ${max_videos_named}) as video_ids
  ) newest`,
)
