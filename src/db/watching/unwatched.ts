/**
 * How many videos are neither watched nor dismissed, for each channel and group. Only the newest videos of the library are counted, so
 * the counts cost the same in a library of any size.
 */
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable } from '../postgres/client.ts'

/** What a person has not watched for longer than this is no news. */
export const max_counted_videos = 1000

/** The newest videos as New shows them: a query of `channel_id`, `video_id`, `sort_at` and `is_unwatched`. */
export const newestVideos = (sql: Queryable, user_id: UserId) => sql`
  with newest as materialized (
    select   channel_id, video_id, sort_at
    from     video_entries
    where    user_id = ${user_id} and source <> 'listing'
    order by sort_at desc, id desc
    limit    ${max_counted_videos}
  ),
  -- "any(array(…))" makes Postgres look up these videos only, all in one pass over the index; a join would read all viewings of the person.
  marked as materialized (
    select video_id
    from   viewings
    where  user_id = ${user_id} and video_id = any(array(select video_id from newest))
    and    (seen_at is not null or not_for_me_at is not null)
  )
  select    newest.*, marked.video_id is null as is_unwatched
  from      newest
  left join marked using (video_id)`

/** The columns of `Group`, for a query that has `newestVideos` as `newest`. A video that is in several channels of a group counts once. */
export const countedGroups = (sql: Queryable, user_id: UserId, which = sql``) => sql`
  select    group_id,
            name,
            bell,
            (select count(*) from channel_groups member where member.user_id = ${user_id} and member.group_id = owned.group_id)::int as channels,
            coalesce(unwatched, 0)::int as unwatched
  from      groups owned
  -- "distinct" in a subquery is hashed; "count(distinct …)" would compare the ids as texts, five times as slowly.
  left join (select   group_id, count(*) as unwatched
             from     (select distinct group_id, video_id
                       from   channel_groups
                       join   newest using (channel_id)
                       where  channel_groups.user_id = ${user_id} and is_unwatched) video
             group by group_id) counted using (group_id)
  where     user_id = ${user_id} and deleted_at is null ${which}
  order by  lower(name)`
