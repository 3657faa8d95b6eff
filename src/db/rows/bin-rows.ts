/**
 * Writes the rows of the bin within a transaction that deletes a file, unfollows a channel or removes a video. Rows are stored as JSON by
 * SQL alone, so no value loses precision on its way.
 */
import type { UserId } from '../../schema/values/user.ts'
import type { Piece, Queryable } from '../postgres/client.ts'

/**
 * Waits for the other unfollows, removals and restores of this user. They lock rows of the library and of the bin in different orders,
 * so they would wait for each other in a circle. No row is locked, so pages that write to the row of the user do not wait.
 */
export const oneAtATime = (tx: Queryable, user_id: UserId) => tx`
  select pg_advisory_xact_lock(hashtextextended('bin:' || ${user_id}::text, 0))`

/** The columns of `video_entries` that describe a file. A deletion resets them, and a restore brings them back. */
export const file_columns = [
  'download_path',
  'file_size',
  'subtitles',
  'download_started_at',
  'download_completed_at',
  'download_attempts',
  'download_quality',
  'address_hash',
  'words_hash',
  'site_facts',
  'download_copied',
  'file_streams',
  'wanted_quality',
]

/** Generated columns, and words for searches, which the database makes again. */
const computed_columns = ['words', 'standing', 'video_host']

export type Deletion = {
  by_rule?: boolean
  /** The deletion of several files has one time, by which all of them are found again. Absent: now. */
  deleted_at?: Date | undefined
}

/**
 * Puts the files of these videos into the bin; `entries`: a condition on completed rows `entry`. In the order of moves.ts, so that two
 * deletions never wait for each other.
 */
export const binFiles = (
  tx: Queryable,
  user_id: UserId,
  entries: Piece,
  { by_rule = false, deleted_at, with_channel = false }: Deletion & { with_channel?: boolean } = {},
) => tx`
  insert into deleted_files (user_id, video_id, channel_id, title, file, by_rule, with_channel, deleted_at)
  select   distinct on (video_id)
           user_id, video_id, channel_id, title,
           (select jsonb_object_agg(key, value)
            from   jsonb_each(to_jsonb(entry) - ${computed_columns}::text[])
            where  key = any(${file_columns}::text[])),
           ${by_rule}, ${with_channel}, coalesce(${deleted_at ?? null}::timestamptz, now())
  from     video_entries entry
  where    user_id = ${user_id} and download_status = 'COMPLETED' and ${entries}
  order by video_id, id
  on conflict on constraint deleted_files_pkey do update
  set    channel_id = excluded.channel_id, title = excluded.title, file = excluded.file, by_rule = excluded.by_rule,
         with_channel = excluded.with_channel, deleted_at = excluded.deleted_at`

/**
 * Stores a channel with its rule, its backfill, its podcasts and those videos that are about to be deleted; `entries`: a condition on rows
 * `entry`. If an earlier state of the channel is in the bin too, videos that only this has stay there.
 */
export async function binChannel(
  tx: Queryable,
  user_id: UserId,
  channel_id: string,
  { entries, is_followed }: { entries: Piece; is_followed: boolean },
): Promise<void> {
  await tx`
    insert into deleted_channels as known (user_id, channel_id, title, is_followed, entry_count, channel, rule, backfill, group_ids,
                                           podcasts)
    select user_id, channel_id, title, ${is_followed}, entry_count, to_jsonb(channel),
           (select to_jsonb(rule) from channel_rules rule where rule.user_id = ${user_id} and rule.channel_id = channel.channel_id),
           (select to_jsonb(backfill) from backfills backfill
            where  backfill.user_id = ${user_id} and backfill.channel_id = channel.channel_id),
           array(select group_id from channel_groups member
                 where  member.user_id = ${user_id} and member.channel_id = channel.channel_id),
           (select jsonb_agg(feed) from podcast_feeds feed where feed.user_id = ${user_id} and feed.channel_id = channel.id)
    from   channels channel
    where  user_id = ${user_id} and channel_id = ${channel_id}
    on conflict on constraint deleted_channels_pkey do update
    set    title = excluded.title, channel = excluded.channel, rule = excluded.rule, backfill = excluded.backfill,
           group_ids = excluded.group_ids, podcasts = excluded.podcasts, is_followed = excluded.is_followed, entry_count = greatest(known.entry_count, excluded.entry_count),
           deleted_at = excluded.deleted_at
    -- The channel of a removed video was unfollowed before. What the bin has of it is more.
    where  excluded.is_followed or not known.is_followed`
  await tx`
    insert into deleted_videos as known (user_id, channel_id, video_id, entry, viewing)
    select user_id, channel_id, video_id, to_jsonb(entry) - ${computed_columns}::text[],
           (select to_jsonb(viewing) from viewings viewing
            where  viewing.user_id = ${user_id} and viewing.video_id = entry.video_id)
    from   video_entries entry
    where  user_id = ${user_id} and channel_id = ${channel_id} and ${entries}
    on conflict on constraint deleted_videos_pkey do update
    set    entry = excluded.entry, viewing = coalesce(excluded.viewing, known.viewing)`
}
