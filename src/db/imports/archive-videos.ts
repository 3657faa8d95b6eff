/** Merges the videos of an archive into the library of one person, without a rule requesting any of them. */
import { jsonText } from '../../runtime/json.ts'
import type { ArchiveVideo } from '../../schema/imports/archive.ts'
import { type UserId, user_limits } from '../../schema/values/user.ts'
import { eachValue, onlyRow, onlyValue, type Queryable } from '../postgres/client.ts'
import { recordOf } from '../postgres/column-lists.ts'
import { video_fields } from '../rows/archive-fields.ts'
import {
  copiedColumns,
  copiedFromTwin,
  isChangedOnConflict,
  mergedOnConflict,
  saved_types,
  savedColumns,
  savedFrom,
} from '../saving/columns.ts'

type MergedVideos = { videos_added: number; videos_left_out: number; pinned: number }

/**
 * Known videos get only what they lack. `videos_left_out`: videos whose channel is not here, and those that exceed the limit of the
 * person. Each video of a channel at most once.
 */
export async function mergeVideos(tx: Queryable, user_id: UserId, videos: ArchiveVideo[]): Promise<MergedVideos> {
  const channel_ids = [...new Set(videos.map(({ channel_id }) => channel_id))]
  // First, as in every save.
  const found = await eachValue<string>(tx`
    select   channel_id
    from     channels
    where    user_id = ${user_id} and channel_id = any(${channel_ids})
    order by channel_id
    for no key update`)
  const here = new Set(found)
  const given = videos.filter(({ channel_id }) => here.has(channel_id))
  const ranges = await rangesOf(tx, user_id, channel_ids)
  const { left_out, inserted } = await insertVideos(tx, user_id, given)
  await restore(tx, user_id, ranges)
  await mergeChapters(tx, user_id, given)
  const pinned = await mergeFlags(tx, user_id, given)
  return { videos_added: inserted, videos_left_out: videos.length - given.length + left_out, pinned }
}

async function insertVideos(tx: Queryable, user_id: UserId, videos: ArchiveVideo[]) {
  const kept = await onlyValue<number>(tx`
    select coalesce(sum(entry_count), 0) as kept
    from   channels
    where  user_id = ${user_id}`)
  const room = Math.max(0, user_limits.videos - kept)
  return onlyRow(tx<{ inserted: number; left_out: number }[]>`
    with given as materialized (
      select item.*, known.id is null as is_new,
             row_number() over (partition by known.id is null order by sort_at desc, item.video_id) as place,
             row_number() over (partition by channel_id, item.guid) = 1 as is_first_of_guid
      from   json_to_recordset(${jsonText(videos)}::text::json) as item (
               -- A column that the archive does not have is null.
               ${recordOf(tx, { ...saved_types, ...video_fields })})
      left join lateral (
        select id
        from   video_entries entry
        where  entry.user_id = ${user_id} and entry.video_id = item.video_id and entry.channel_id = item.channel_id
        offset 0
      ) known on true
    ),
    saved as (
      insert into video_entries as known (
        user_id, channel_id, video_id, sort_at, first_seen_at, ${savedColumns(tx)}, ${copiedColumns(tx)})
      select   ${user_id}, given.channel_id, given.video_id, case when given.sort_at is not null then least(given.sort_at, now()) end,
               least(given.first_seen_at, now()),
               ${savedFrom(tx, 'given', {
                 // Another video here may have it.
                 guid: tx`
                   case when is_first_of_guid and not exists (
                          select from video_entries entry
                          where  entry.user_id = ${user_id} and entry.channel_id = given.channel_id and entry.guid = given.guid)
                        then given.guid end`,
               })},
               ${copiedFromTwin(tx)}
      from     given
      left join lateral (
        select *
        from   video_entries stored
        where  stored.user_id = ${user_id} and stored.video_id = given.video_id and given.is_new
        limit  1
      ) twin on true
      where    not is_new or place <= ${room}
      order by given.video_id, given.channel_id
      on conflict on constraint video_entries_video_key do update
      set    ${mergedOnConflict.fill(tx)}
      where  ${isChangedOnConflict.fill(tx)}
    )
    select (select count(*) from given where is_new and place <= ${room}) as inserted,
           (select count(*) from given where is_new and place > ${room})  as left_out`)
}

/** In all channels of a video. What its site said when its file was fetched is newer, so it stays. */
const mergeChapters = (tx: Queryable, user_id: UserId, videos: ArchiveVideo[]) => tx`
  update video_entries entry
  set    chapters = given.chapters
  from   json_to_recordset(${jsonText(videos.filter(({ chapters }) => chapters))}::text::json) as given (${recordOf(tx, video_fields)})
  where  entry.user_id = ${user_id} and entry.video_id = given.video_id and entry.chapters is null
  and    entry.id = any(array(
           select   id
           from     video_entries
           where    user_id = ${user_id} and video_id = any(${videos.map(({ video_id }) => video_id)}) and chapters is null
           order by video_id, id
           for update))`

/** In all channels of a video. Returns how many videos became pinned. */
async function mergeFlags(tx: Queryable, user_id: UserId, videos: ArchiveVideo[]): Promise<number> {
  const flagged = videos.filter(({ pinned, requested_by }) => pinned || requested_by)
  const pinned = await eachValue<string | null>(tx`
    with flagged as materialized (
      select   video_id, bool_or(pinned) as pinned, max(requested_by) as requested_by
      from     json_to_recordset(${jsonText(flagged)}::text::json) as flagged (${recordOf(tx, video_fields)})
      group by video_id
    ),
    found as materialized (
      select   entry.id, entry.pinned as was_pinned, flagged.*
      from     flagged
      join     video_entries entry using (video_id)
      where    entry.user_id = ${user_id}
      and      (flagged.pinned and not entry.pinned
                or flagged.requested_by is not null and entry.download_asked_by is null)
      order by entry.video_id, entry.id
      for update of entry
    )
    update video_entries entry
    set    pinned = entry.pinned or found.pinned, download_asked_by = coalesce(entry.download_asked_by, found.requested_by)
    from   found
    where  entry.user_id = ${user_id} and entry.id = found.id
    returning case when found.pinned and not was_pinned then entry.video_id end as pinned`)
  return new Set(pinned.filter(video_id => video_id !== null)).size
}

type Range = { channel_id: string; judge_from: string | null; judge_to: string | null; apply_at: string | null }

/** Reads what the rules of the channels still have to judge. Locks it, so that no rule judges the imported videos before `restore`. */
const rangesOf = (tx: Queryable, user_id: UserId, channel_ids: string[]): Promise<Range[]> => tx<Range[]>`
  select   channel_id, judge_from::text, judge_to::text, apply_at::text
  from     channel_rules
  where    user_id = ${user_id} and channel_id = any(${channel_ids}) and on_since is not null
  order by channel_id
  for update`

/** A trigger has added the imported videos to what the rules judge. An import must start no downloads, so this takes them out again. */
const restore = (tx: Queryable, user_id: UserId, ranges: Range[]) => tx`
  update channel_rules rule
  set    judge_from = before.judge_from, judge_to = before.judge_to, apply_at = before.apply_at
  from   json_to_recordset(${jsonText(ranges)}::text::json) as before (
           channel_id text, judge_from timestamptz, judge_to timestamptz, apply_at timestamptz)
  where  rule.user_id = ${user_id} and rule.channel_id = before.channel_id`
