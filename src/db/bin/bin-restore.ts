/**
 * Writes the stored rows of a channel back within a transaction: the channel, its rule, backfill and podcasts, its videos, viewings and
 * files. Each row returns with the columns that the table has now; a column that a migration has added since gets its default. A row that
 * exists is kept, and gets what it lacks: the channel may have been followed again in the meantime.
 */
import { currentTime } from '../../runtime/clock.ts'
import type { BinLimits } from '../../schema/bin/bin.ts'
import type { UserId } from '../../schema/values/user.ts'
import { movesOf } from '../downloads/moves.ts'
import { bytesUsedIn, quotaIn } from '../downloads/space.ts'
import { countOf, eachValue, hasAny, type Piece, type Queryable } from '../postgres/client.ts'
import { removeDownloads } from '../queue/queue.ts'
import { file_columns } from '../rows/bin-rows.ts'
import { copiedColumns } from '../saving/columns.ts'
import { fromBin } from './bin-files.ts'

export type BinnedChannel = { user_id: UserId; channel_id: string }

/** The columns that can be written and that this object names. `object`: a query of one JSON object. */
const columnsOf = (tx: Queryable, table: string, object: Piece): Promise<string[]> =>
  eachValue<string>(tx`
    select   attname as name
    from     pg_attribute
    where    attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    and      attname in (select jsonb_object_keys((${object})))
    order by attnum`)

/**
 * Inserts stored rows into their table, unless they are there. `rows`: a query of JSON objects, named `stored`. `unchanged`: the same
 * objects as they were stored.
 */
async function insertStored<Row extends object>(
  tx: Queryable,
  user_id: UserId,
  table: string,
  rows: Piece,
  { unchanged = rows, returning = tx`user_id` } = {},
): Promise<Row[]> {
  // The object with the fewest keys compares as the smallest: an earlier version of the table may have stored it.
  const columns = await columnsOf(tx, table, tx`select stored from (${unchanged}) kept order by stored limit 1`)
  if (columns.length === 0) return []
  return tx<Row[]>`
    insert into ${tx(table)} (${tx(columns)}) overriding system value
    select ${tx(columns)}
    from   (${rows}) kept
    cross join lateral jsonb_populate_record(null::${tx(table)}, stored)
    where  user_id = ${user_id}
    on conflict do nothing
    returning ${returning}`
}

/** Inserts the row of a rule or a backfill, unless the channel has one. */
export const restorePart = (
  tx: Queryable,
  { user_id, channel_id }: BinnedChannel,
  part: 'rule' | 'backfill',
  changes: Record<string, unknown> = {},
) =>
  insertStored(
    tx,
    user_id,
    { rule: 'channel_rules', backfill: 'backfills' }[part],
    tx`
      select ${tx(part)} || ${tx.json(changes as never)}::jsonb as stored
      from   deleted_channels
      where  user_id = ${user_id} and channel_id = ${channel_id} and ${tx(part)} is not null`,
  )

/** A query of the stored row of the channel. The trigger counts the videos when they are inserted. */
const rowOf = (tx: Queryable, { user_id, channel_id }: BinnedChannel, changes: Piece) => tx`
  select channel || '{"entry_count": 0}' || ${changes} as stored
  from   deleted_channels
  where  user_id = ${user_id} and channel_id = ${channel_id}`

/** Inserts the channel unless there is one. `changes`: an object of columns with other values than before. */
export const insertChannel = async (tx: Queryable, kept: BinnedChannel, changes: Piece): Promise<boolean> =>
  (await insertStored(tx, kept.user_id, 'channels', rowOf(tx, kept, changes))).length > 0

/** Follows a channel again that still has videos which the person added. `false`: it is followed. */
export async function followAgain(tx: Queryable, kept: BinnedChannel, changes: Piece): Promise<boolean> {
  const { user_id, channel_id } = kept
  const row = rowOf(tx, kept, changes)
  const own = new Set(['id', 'user_id', 'channel_id', 'created_at', 'entry_count'])
  const columns = (await columnsOf(tx, 'channels', row)).filter(column => !own.has(column))
  return hasAny(tx`
    update channels
    set    (${tx(columns)}) = (select ${tx(columns)} from jsonb_populate_record(null::channels, (${row})))
    where  user_id = ${user_id} and channel_id = ${channel_id} and rss_url is null`)
}

/** A channel that was followed again gets back the quality that was chosen for it, unless it has one. */
export const keepQuality = (tx: Queryable, { user_id, channel_id }: BinnedChannel) => tx`
  update channels
  set    quality = coalesce(channels.quality, kept.channel->>'quality')
  from   deleted_channels kept
  where  channels.user_id = ${user_id} and channels.channel_id = ${channel_id}
  and    kept.user_id = ${user_id} and kept.channel_id = ${channel_id}`

/** The channel is in its groups again. Groups that are gone by now are left out. */
export const restoreGroups = (tx: Queryable, { user_id, channel_id }: BinnedChannel) => tx`
  insert into channel_groups (user_id, channel_id, group_id)
  select   kept.user_id, kept.channel_id, owned.group_id
  from     deleted_channels kept
  join     groups owned on owned.user_id = kept.user_id and owned.group_id = any(kept.group_ids)
  where    kept.user_id = ${user_id} and kept.channel_id = ${channel_id}
  order by group_id
  for key share of owned
  on conflict do nothing`

/** The addresses of its podcasts were kept, and open them again. The channel may have another id now. */
export const restorePodcasts = (tx: Queryable, { user_id, channel_id }: BinnedChannel) => tx`
  insert into podcast_feeds (user_id, feed_id, channel_id, kind, newest, created_at)
  select   kept.user_id, feed.feed_id, channel.id, feed.kind, feed.newest, feed.created_at
  from     deleted_channels kept
  join     channels channel using (user_id, channel_id)
  cross join lateral jsonb_populate_recordset(null::podcast_feeds, kept.podcasts) feed
  where    kept.user_id = ${user_id} and kept.channel_id = ${channel_id}
  order by feed.feed_id
  on conflict do nothing`

/** A backfill that was going on ends as incomplete, so that the person can continue it. */
export async function interrupted(
  tx: Queryable,
  { user_id, channel_id }: BinnedChannel,
): Promise<Record<string, unknown>> {
  const is_unfinished = await hasAny(tx`
    select from deleted_channels
    where  user_id = ${user_id} and channel_id = ${channel_id} and backfill->>'state' in ('queued', 'running')`)
  if (!is_unfinished) return {}
  return {
    state: 'incomplete',
    finished_at: currentTime(),
    error: 'You unfollowed the channel while its older videos were being loaded.',
    claim: null,
    heartbeat_at: null,
    next_attempt_at: null,
  }
}

/** `video_ids`: the videos whose files return. `left`: how many files stay in the bin, because they exceed the quota. */
export type RestoredFiles = { video_ids: string[]; left: number }

/** Records the files of the channel as complete, the newest videos first, as far as the quota allows. */
export async function restoreFiles(
  tx: Queryable,
  { user_id, channel_id }: BinnedChannel,
  { hours, quota_bytes: service_bytes }: BinLimits,
): Promise<RestoredFiles> {
  const mine = tx`user_id = ${user_id}`
  const { move, noRun, noRequest, noFailures } = movesOf(tx, user_id)
  const of_channel = tx`channel_id = ${channel_id} and with_channel`
  const all = await eachValue<string>(tx`
    select   video_id
    from     deleted_files
    where    ${mine} and ${of_channel} and deleted_at > now() - ${hours} * interval '1 hour'
    order by video_id
    for update`)
  const quota_bytes = await quotaIn(tx, user_id, service_bytes)
  const room = quota_bytes === 0 ? Number.MAX_SAFE_INTEGER : quota_bytes - (await bytesUsedIn(tx, user_id, ''))
  const video_ids = await eachValue<string>(tx`
    select   video_id
    from     (select file.video_id, sum(file.file_size) over (order by entry.sort_at desc, file.video_id) as bytes
              from   deleted_files file
              join   video_entries entry using (user_id, channel_id, video_id)
              where  file.user_id = ${user_id} and file.channel_id = ${channel_id} and with_channel
              and    file.video_id = any(${all})
              and    entry.download_status <> 'COMPLETED') file
    where    bytes <= ${room}
    order by video_id`)
  await move(tx, 'restore', video_ids, tx`${noRun}, ${noRequest}, ${noFailures}, ${fromBin(tx, user_id)}`)
  await removeDownloads(tx, user_id, video_ids)
  await tx`delete from deleted_files where ${mine} and video_id = any(${video_ids})`
  const left = await countOf(tx`update deleted_files set with_channel = false where ${mine} and ${of_channel}`)
  return { video_ids, left }
}

const without_file = {
  ...Object.fromEntries(file_columns.map(column => [column, null])),
  download_status: 'PENDING',
  subtitles: [],
  download_attempts: 0,
  download_copied: false,
}
const without_run = {
  download_status: 'PENDING',
  download_claim: null,
  download_heartbeat_at: null,
  download_progress: null,
  download_quality: null,
  download_copied: false,
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
  { user_id, channel_id }: BinnedChannel,
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
  const rows = tx`
    select entry || '{"download_next_attempt_at": null}'
                 || case entry->>'download_status'
                      when 'COMPLETED'   then ${tx.json(without_file)}::jsonb
                      when 'DOWNLOADING' then ${tx.json(without_run)}::jsonb
                      else '{}'::jsonb end
                 || ${tx.json(changes as never)}::jsonb as stored
    ${kept}
    order by video_id`
  const returning = tx`
    video_id, video_host, standing is not distinct from 'waiting' as is_waiting,
    case when download_by_rule and (download_asked_by = 'rule' or download_status = 'FAILED') then 'rule' else 'person' end as by`
  const unchanged = tx`select entry as stored ${kept}`
  return insertStored<RestoredEntry>(tx, user_id, 'video_entries', rows, { unchanged, returning })
}

/** A video that another channel has too has one download, so its restored row copies the columns of the other one. Returns these videos. */
export async function copyFromTwins(
  tx: Queryable,
  { user_id, channel_id }: BinnedChannel,
  restored: string[],
): Promise<Set<string>> {
  const video_ids = await eachValue<string>(tx`
    select distinct video_id
    from   video_entries
    where  user_id = ${user_id} and video_id = any(${restored}) and channel_id <> ${channel_id}`)
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

/**
 * Gives videos that were saved again in the meantime their old values back: when they were first seen, the pin, and that they were
 * requested.
 */
export const mergeEntries = (tx: Queryable, { user_id, channel_id }: BinnedChannel, known: string[]) => tx`
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
export const restoreLooks = (tx: Queryable, { user_id, channel_id }: BinnedChannel, restored: string[]) => tx`
  update video_entries entry
  set    look_at = old.look_at, looks = old.looks
  from   deleted_videos kept
  cross join lateral jsonb_populate_record(null::video_entries, kept.entry) old
  where  kept.user_id = ${user_id} and kept.channel_id = ${channel_id} and kept.video_id = any(${restored})
  and    entry.user_id = ${user_id} and entry.channel_id = ${channel_id} and entry.video_id = kept.video_id
  and    (entry.look_at, entry.looks) is distinct from (old.look_at, old.looks)`

export const restoreViewings = (tx: Queryable, { user_id, channel_id }: BinnedChannel, video_ids?: string[]) =>
  insertStored(
    tx,
    user_id,
    'viewings',
    tx`
      select   viewing as stored
      from     deleted_videos
      where    user_id = ${user_id} and channel_id = ${channel_id} and viewing is not null
      ${video_ids === undefined ? tx`` : tx`and video_id = any(${video_ids})`}
      order by video_id`,
  )
