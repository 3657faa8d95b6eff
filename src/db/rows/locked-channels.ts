/**
 * A condition, always true, that locks channels before the marks of their videos change: triggers on `viewings` then count the unwatched
 * videos of these channels. A save locks its channel first too. So a save and a mark never deadlock, and neither misses what the other
 * changes.
 */
import type { UserId } from '../../schema/values/user.ts'
import type { Piece, Queryable } from '../postgres/client.ts'

/** `which`: a condition on the rows of `channels`; absent: all channels of the person. */
export const channelsLocked = (sql: Queryable, user_id: UserId, which: Piece = sql`true`) => sql`
  (select count(*) from (
     select   from channels
     where    user_id = ${user_id} and ${which}
     order by channel_id
     for no key update) locked) >= 0`

/** The channels that have one of these videos. */
export const channelsOfVideosLocked = (sql: Queryable, user_id: UserId, video_ids: string[]) =>
  channelsLocked(
    sql,
    user_id,
    sql`channel_id = any(array(select channel_id from video_entries where user_id = ${user_id} and video_id = any(${video_ids})))`,
  )
