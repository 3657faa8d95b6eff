/**
 * Which files may be deleted, as parts of queries: rules delete files that they no longer keep. No rule deletes the only copy, a file that
 * could not be downloaded again because the video or the feed of its channel is gone.
 */
import type { UserId } from '../../schema/values/user.ts'
import type { Piece, Queryable, Sql } from '../postgres/client.ts'
import { isFeedGone } from '../rows/channel-columns.ts'

/**
 * The files that these rules, which are on, no longer keep: beyond the newest `keep_newest`, older than `keep_days`, or last watched
 * `delete_watched_days` ago, except the newest `keep_newest_watched` of these. A video of two channels stays as long as one of them keeps
 * it. `by_watching`: only because it was watched. An imported mark counts from the time of the import.
 *
 * `is_only_copy`: the file stays all the same. What was played within the last day stays as well.
 */
export const filesNotKept = (sql: Sql, rules: Piece): Piece => sql`
  with rule as materialized (${rules}),
  limited as (
    select *
    from   rule
    where  coalesce(keep_newest, keep_days, delete_watched_days) is not null
  ),
  file as (
    select user_id,
           channel_id,
           video_id,
           (row_number() over (partition by user_id, channel_id order by sort_at desc, id desc) > keep_newest) is true
           or (download_completed_at < now() - keep_days * interval '1 day') is true as is_beyond,
           is_watched
           and row_number() over (partition by user_id, channel_id, is_watched order by sort_at desc, id desc)
               > coalesce(keep_newest_watched, 0) as is_watched
    from   (
      select entry.*, keep_newest, keep_days, keep_newest_watched,
             (last_watched_at < now() - delete_watched_days * interval '1 day') is true as is_watched
      from   limited
      join   video_entries entry using (user_id, channel_id)
      left join lateral (
        select greatest(seen_at, watched_at, imported_at) as last_watched_at
        from   viewings
        where  viewings.user_id = entry.user_id and viewings.video_id = entry.video_id
        and    seen_at is not null and delete_watched_days is not null
        offset 0
      ) viewing on true
      where  download_asked_by = 'rule' and standing is not null and download_status = 'COMPLETED' and not pinned
    ) entry
  )
  select   user_id, video_id, bool_or(not is_beyond) as by_watching,
           exists (
             select from video_entries entry
             where  entry.user_id = file.user_id and entry.video_id = file.video_id and ${isOnlyCopy(sql)}) as is_only_copy
  from     file
  group by user_id, video_id
  having   bool_and(is_beyond or is_watched)
  and      not exists (
             select from video_entries twin
             join   rule other using (user_id, channel_id)
             where  twin.user_id = file.user_id and twin.video_id = file.video_id
             and    coalesce(keep_newest, keep_days, delete_watched_days) is null)
  and      not exists (
             select from viewings
             where  viewings.user_id = file.user_id and viewings.video_id = file.video_id and ${isPlayedLately(sql)})`

/** A condition on a row of `viewings`: the person may be watching the video, or go on with it. */
export const isPlayedLately = (sql: Queryable): Piece => sql`(watched_at >= now() - interval '1 day') is true`

/** A condition on a row `entry`: its file could not be downloaded again. */
export const isOnlyCopy = (sql: Queryable): Piece => sql`(
  entry.availability in ('removed', 'private')
  or exists (
       select from channels channel
       where  channel.user_id = entry.user_id and channel.channel_id = entry.channel_id and ${isFeedGone(sql)})) is true`

/** How many of the files of these rows of one user are only copies, each counted once, as a part of a query. */
export const countOnlyCopies = (sql: Queryable, user_id: UserId, which: Piece): Piece => sql`
  select count(distinct video_id)::int
  from   video_entries entry
  where  entry.user_id = ${user_id} and download_status = 'COMPLETED' and ${which} and ${isOnlyCopy(sql)}`
