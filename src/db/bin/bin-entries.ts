/** Writes the stored videos and viewings of a channel back, within a transaction. Rows that exist are kept, and get what they lack. */
import type { Queryable } from '../postgres/client.ts'
import { file_columns } from '../rows/bin-rows.ts'
import { copiedColumns } from '../saving/saving-columns.ts'
import { columnsOf, type Kept } from './bin-restore.ts'

const without_file = {
  ...Object.fromEntries(file_columns.map(column => [column, null])),
  ...{ download_status: 'PENDING', subtitles: [], download_attempts: 0, download_copied: false },
}
const without_run = {
  ...{ download_status: 'PENDING', download_claim: null, download_heartbeat_at: null, download_progress: null },
  ...{ download_quality: null, download_copied: false },
}

export type RestoredEntry = {
  video_id: string
  video_host: string | null
  is_waiting: boolean
  by: 'person' | 'rule'
}

/** Inserts the videos that are missing, without files and runs. `video_ids`: only these. */
export async function restoreEntries(
  tx: Queryable,
  { user_id, channel_id }: Kept,
  { video_ids, changes = {} }: { video_ids?: string[]; changes?: Record<string, unknown> } = {},
): Promise<RestoredEntry[]> {
  const mine = tx`user_id = ${user_id} and channel_id = ${channel_id}`
  const kept = tx`
    from   deleted_videos
    where  ${mine} ${video_ids === undefined ? tx`` : tx`and video_id = any(${video_ids})`}`
  await tx`
    select   from video_entries
    where    user_id = ${user_id} and video_id in (select video_id ${kept})
    order by video_id, id
    for update`
  // The object with the fewest keys compares as the smallest: an earlier version of the table may have stored it.
  const columns = await columnsOf(tx, 'video_entries', tx`select entry ${kept} order by entry limit 1`)
  if (columns.length === 0) return []
  const rows = await tx<RestoredEntry[]>`
    insert into video_entries (${tx(columns)}) overriding system value
    select ${tx(columns)}
    from   (
      select entry || '{"download_next_attempt_at": null}'
                   || case entry->>'download_status'
                        when 'COMPLETED'   then ${tx.json(without_file)}::jsonb
                        when 'DOWNLOADING' then ${tx.json(without_run)}::jsonb
                        else '{}'::jsonb end
                   || ${tx.json(changes as never)}::jsonb as entry
      ${kept}
      order by video_id
    ) kept
    cross join lateral jsonb_populate_record(null::video_entries, entry)
    where  user_id = ${user_id}
    on conflict do nothing
    returning video_id, video_host, standing is not distinct from 'waiting' as is_waiting,
              case when download_by_rule and (download_asked_by = 'rule' or download_status = 'FAILED') then 'rule' else 'person' end
                as by`
  return rows
}

/** A video that another channel has too has one download, so its restored row copies the columns of the other one. Returns these videos. */
export async function copyFromTwins(
  tx: Queryable,
  { user_id, channel_id }: Kept,
  restored: string[],
): Promise<Set<string>> {
  const twins = await tx<{ video_id: string }[]>`
    select distinct video_id
    from   video_entries
    where  user_id = ${user_id} and video_id = any(${restored}) and channel_id <> ${channel_id}`
  const video_ids = twins.map(({ video_id }) => video_id)
  await tx`
    update video_entries entry
    set    (${copiedColumns(tx)}) = (
             select ${copiedColumns(tx)}
             from   video_entries twin
             where  twin.user_id = ${user_id} and twin.video_id = entry.video_id and twin.channel_id <> entry.channel_id
             limit  1)
    where  user_id = ${user_id} and channel_id = ${channel_id} and video_id = any(${video_ids})`
  return new Set(video_ids)
}

/** Gives videos that were saved again in the meantime their old values back: when they were first seen, the pin, and that they were requested. */
export const mergeEntries = (tx: Queryable, { user_id, channel_id }: Kept, known: string[]) => tx`
  update video_entries known
  set    first_seen_at     = case when known.channel_id = ${channel_id} then least(known.first_seen_at, old.first_seen_at)
                                  else known.first_seen_at end,
         pinned            = known.pinned or old.pinned,
         download_asked_by = coalesce(known.download_asked_by, old.download_asked_by)
  from   deleted_videos kept
  cross join lateral jsonb_populate_record(null::video_entries, kept.entry) old
  where  kept.user_id = ${user_id} and kept.channel_id = ${channel_id} and kept.video_id = any(${known})
  and    known.user_id = ${user_id} and known.video_id = kept.video_id`

/** An insert plans a look at each closed or live video. The looks return as they were. */
export const restoreLooks = (tx: Queryable, { user_id, channel_id }: Kept, restored: string[]) => tx`
  update video_entries entry
  set    look_at = old.look_at, looks = old.looks
  from   deleted_videos kept
  cross join lateral jsonb_populate_record(null::video_entries, kept.entry) old
  where  kept.user_id = ${user_id} and kept.channel_id = ${channel_id} and kept.video_id = any(${restored})
  and    entry.user_id = ${user_id} and entry.channel_id = ${channel_id} and entry.video_id = kept.video_id
  and    (entry.look_at, entry.looks) is distinct from (old.look_at, old.looks)`

export async function restoreViewings(
  tx: Queryable,
  { user_id, channel_id }: Kept,
  video_ids?: string[],
): Promise<void> {
  const kept = tx`
    from   deleted_videos
    where  user_id = ${user_id} and channel_id = ${channel_id} and viewing is not null
    ${video_ids === undefined ? tx`` : tx`and video_id = any(${video_ids})`}`
  const columns = await columnsOf(tx, 'viewings', tx`select viewing ${kept} order by viewing limit 1`)
  if (columns.length === 0) return
  await tx`
    insert into viewings (${tx(columns)})
    select ${tx(columns)}
    from   (select viewing ${kept} order by video_id) kept
    cross join lateral jsonb_populate_record(null::viewings, viewing)
    where  user_id = ${user_id}
    on conflict do nothing`
}
