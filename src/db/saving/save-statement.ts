/**
 * The statement that saves feeds for their followers: the rows of the channels and their entries, all or none. `saving.ts` gives it
 * its lists and runs it.
 */
import { user_limits } from '../../schema/values/user.ts'
import type { Piece, Sql } from '../postgres/client.ts'
import {
  addedColumns,
  changeOf,
  columnsOfItem,
  copiedColumns,
  copiedFromTwin,
  isChangedOnConflict,
  type Merge,
  mergedOnConflict,
  recordColumns,
  savedColumns,
} from './columns.ts'
import { identified } from './matching.ts'
import { newVideoNotifications } from './new-video-notifications.ts'

/**
 * The lists as JSON: values, not text. The text differs only by `channels` and by `merge`, so Postgres plans each of these few statements
 * once for a connection.
 */
type SaveLists = { feeds: string; targets: string; entries: string }

/**
 * `channels`: the part that writes the rows of the channels (see `channel-writes.ts`). Nothing is saved for a target whose channel it
 * does not write.
 */
export const saveStatement = (sql: Sql, { feeds, targets, entries }: SaveLists, channels: Piece, merge: Merge) => sql`
  with target as (
    select *
    from   json_to_recordset(${targets}::text::json) as target (at int, feed int, user_id uuid, channel_id text)
  ),
  feed as (
    select *
    from   json_to_recordset(${feeds}::text::json) as feed (
             feed int, rss_url text, title text, image_url text, page_url text, skipped int, warning text, is_scheduled boolean,
             etag text, last_modified text, body_hash text, every_minutes int, next_fetch_at timestamptz,
             list_at timestamptz, list_since timestamptz, is_read boolean)
  ),
  item as (
    select *
    from   json_to_recordset(${entries}::text::json) as item (
             feed int, at int, video_id text, given_address_id text, spare_id text, former_id text, place_at timestamptz,
             wants_look boolean, ${recordColumns(sql)})
  ),
  written as (${channels}),
  listed as (
    select target.at as target, user_id, channel_id, item.at, feed, video_id, title, published_at, published_precision, guid,
           coalesce(given_address_id, video_id) as address_id, spare_id, former_id
    from   target
    join   item using (feed)
    -- With "is true" this stays a filter. As a join it would make the planner expect one row, and compare long lists pair by pair.
    where  ((user_id, channel_id) in (select user_id, channel_id from written)) is true
  ),
  matched as materialized (${identified(sql)}),
  given as materialized (
    select target, user_id, channel_id, feed, at, video_id, listed_id, entry.published_at, entry.guid, entry.moved_id,
           has_own_title, stored_id,
           stored_id is null as is_new,
           case when stored_id is null then 'added' else ${changeOf[merge](sql)} end as change
    from   (
      select matched.*, ${columnsOfItem(sql)}, matched.title = item.title as has_own_title
      from   matched
      join   item using (feed, at)
    ) entry
    left join lateral (
      select id as stored_id, ${savedColumns(sql)}
      from   video_entries known
      where  (known.user_id, known.channel_id, known.video_id) = (entry.user_id, entry.channel_id, entry.video_id)
      offset 0
    ) stored on true
  ),
  limited as (${limited(sql)}),
  worded as materialized (${worded(sql)}),
  saved as (
    insert into video_entries as known (
      user_id, channel_id, video_id, words, sort_at, look_at, ${savedColumns(sql)}, ${copiedColumns(sql)})
    select   given.user_id, given.channel_id, given.video_id,
             case when is_new and has_own_title then item.words end,
             least(coalesce(given.published_at, item.place_at, now()), now()),
             case when item.wants_look and coalesce(item.duration_seconds, twin.duration_seconds) is null then now() end,
             ${addedColumns(sql)}, ${copiedFromTwin(sql)}
    from     limited given
    join     worded item using (feed, at)
    left join lateral (
      select *
      from   video_entries stored
      where  stored.user_id = given.user_id and stored.video_id = given.video_id and given.is_new
      limit  1
    ) twin on true
    where    fits and change is not null
    -- In the order of db/downloads/moves.ts, so that no two statements wait for each other.
    order by given.user_id, given.video_id, given.stored_id, given.channel_id
    on conflict on constraint video_entries_video_key do update
    set    ${mergedOnConflict[merge](sql)}
    where  ${isChangedOnConflict[merge](sql)}
    returning user_id, channel_id, video_id, source, sort_at, first_seen_at = now() as inserted
  ),
  notified as (${newVideoNotifications(sql)})
  select user_id,
         channel_id,
         target.feed,
         written.created,
         counted.user_id is not null as is_written,
         coalesce(counted.inserted, 0)                                                     as inserted,
         coalesce(counted.updated, 0)                                                      as updated,
         coalesce(placed.fitting, 0) - coalesce(counted.inserted + counted.updated, 0)     as unchanged,
         coalesce(placed.left_out, 0)                                                      as left_out,
         placed.renamed,
         rule.on_since is not null                                                         as has_rule
  from   written
  join   target using (user_id, channel_id)
  left join (
    select   target,
             count(*) filter (where fits)     as fitting,
             count(*) filter (where not fits) as left_out,
             json_object_agg(listed_id, video_id) filter (where fits and listed_id <> video_id) as renamed
    from     limited
    group by target
  ) placed on placed.target = target.at
  left join (
    select   user_id, channel_id,
             count(*) filter (where inserted) as inserted,
             -- As a join it would make the planner expect one row, and compare long lists pair by pair.
             count(*) filter (where not inserted and (user_id, channel_id, video_id) not in (
               select user_id, channel_id, video_id from given where change = 'rewritten'
             )) as updated
    from     saved
    group by user_id, channel_id
  ) counted using (user_id, channel_id)
  left join lateral (
    select on_since
    from   channel_rules own
    where  (own.user_id, own.channel_id) = (target.user_id, target.channel_id)
    offset 0
  ) rule on true`

/**
 * Marks each entry with `fits`: known videos fit, and as many of the newest new ones as the limit of the person leaves room for. Stored
 * videos are counted only if there are new ones.
 */
const limited = (sql: Sql) => sql`
  select *, not is_new or place <= ${user_limits.videos} - max(kept) over (partition by user_id) as fits
  from   (
    select *,
           case when is_new and place = 1
                then (select coalesce(sum(entry_count), 0) from channels own where own.user_id = given.user_id) end as kept
    from   (
      select *, row_number() over (partition by user_id, is_new order by published_at desc nulls last, video_id) as place
      from   given
    ) given
  ) given`

/**
 * The entries with their words. Making words is most of the work of adding a video, so they are made once for all followers of a feed.
 * An entry without a title has another title for each follower, and a changed video keeps texts from before, so a trigger makes their
 * words.
 */
const worded = (sql: Sql) => sql`
  select *,
         case when (feed, at) in (select feed, at from limited where fits and is_new and has_own_title)
              then video_words(title, description) end as words
  from   item`
