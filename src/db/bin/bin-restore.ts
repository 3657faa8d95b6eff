/**
 * Writes the stored rows of a channel, its rule, its backfill and its files back, within a transaction. Each row returns with the columns
 * that the table has now; a column that a migration has added since gets its default. A row that exists is kept: the channel may have
 * been followed again in the meantime. The videos return by `bin-channels.ts`.
 */
import type { BinLimits } from '../../schema/bin/bin.ts'
import type { UserId } from '../../schema/values/user.ts'
import { movesOf } from '../downloads/moves.ts'
import type { Piece, Queryable } from '../postgres/client.ts'
import { removeDownloads } from '../queue/queue.ts'
import { bytesUsedIn, fromBin } from './bin-files.ts'

export type Kept = { user_id: UserId; channel_id: string }

/** The columns that can be written and that this object names. `object`: a query of one JSON object. */
export async function columnsOf(tx: Queryable, table: string, object: Piece): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    select   attname as name
    from     pg_attribute
    where    attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    and      attname in (select jsonb_object_keys((${object})))
    order by attnum`
  return rows.map(({ name }) => name)
}

/** Inserts the row of a rule or a backfill, unless the channel has one. */
export async function restorePart(
  tx: Queryable,
  { user_id, channel_id }: Kept,
  part: 'rule' | 'backfill',
  changes: Record<string, unknown> = {},
): Promise<void> {
  const table = part === 'rule' ? 'channel_rules' : 'backfills'
  const row = tx`
    select ${tx(part)} || ${tx.json(changes as never)}::jsonb
    from   deleted_channels
    where  user_id = ${user_id} and channel_id = ${channel_id} and ${tx(part)} is not null`
  const columns = await columnsOf(tx, table, row)
  if (columns.length === 0) return
  await tx`
    insert into ${tx(table)} (${tx(columns)})
    select ${tx(columns)}
    from   jsonb_populate_record(null::${tx(table)}, (${row}))
    where  user_id = ${user_id}
    on conflict do nothing`
}

/** A query of the stored row of the channel. The trigger counts the videos when they are inserted. */
const rowOf = (tx: Queryable, { user_id, channel_id }: Kept, changes: Piece) => tx`
  select channel || '{"entry_count": 0}' || ${changes}
  from   deleted_channels
  where  user_id = ${user_id} and channel_id = ${channel_id}`

/** Inserts the channel unless there is one. `changes`: an object of columns with other values than before. */
export async function insertChannel(tx: Queryable, kept: Kept, changes: Piece): Promise<boolean> {
  const { user_id } = kept
  const row = rowOf(tx, kept, changes)
  const columns = await columnsOf(tx, 'channels', row)
  const { count } = await tx`
    insert into channels (${tx(columns)}) overriding system value
    select ${tx(columns)}
    from   jsonb_populate_record(null::channels, (${row}))
    where  user_id = ${user_id}
    on conflict do nothing`
  return count > 0
}

/** Follows a channel again that still has videos which the person added. `false`: it is followed. */
export async function followAgain(tx: Queryable, kept: Kept, changes: Piece): Promise<boolean> {
  const { user_id, channel_id } = kept
  const row = rowOf(tx, kept, changes)
  const own = new Set(['id', 'user_id', 'channel_id', 'created_at', 'entry_count'])
  const columns = (await columnsOf(tx, 'channels', row)).filter(column => !own.has(column))
  const { count } = await tx`
    update channels
    set    (${tx(columns)}) = (select ${tx(columns)} from jsonb_populate_record(null::channels, (${row})))
    where  user_id = ${user_id} and channel_id = ${channel_id} and rss_url is null`
  return count > 0
}

/** A channel that was followed again gets back the quality that was chosen for it, unless it has one. */
export const keepQuality = (tx: Queryable, { user_id, channel_id }: Kept) => tx`
  update channels
  set    quality = coalesce(channels.quality, kept.channel->>'quality')
  from   deleted_channels kept
  where  channels.user_id = ${user_id} and channels.channel_id = ${channel_id}
  and    kept.user_id = ${user_id} and kept.channel_id = ${channel_id}`

/** The channel is in its groups again. Groups that are gone by now are left out. */
export const restoreGroups = (tx: Queryable, { user_id, channel_id }: Kept) => tx`
  insert into channel_groups (user_id, channel_id, group_id)
  select   kept.user_id, kept.channel_id, owned.group_id
  from     deleted_channels kept
  join     groups owned on owned.user_id = kept.user_id and owned.group_id = any(kept.group_ids)
  where    kept.user_id = ${user_id} and kept.channel_id = ${channel_id}
  order by group_id
  for key share of owned
  on conflict do nothing`

/** A backfill that was going on ends as incomplete, so that the person can continue it. */
export async function interrupted(tx: Queryable, { user_id, channel_id }: Kept): Promise<Record<string, unknown>> {
  const [unfinished] = await tx`
    select from deleted_channels
    where  user_id = ${user_id} and channel_id = ${channel_id} and backfill->>'state' in ('queued', 'running')`
  if (!unfinished) return {}
  return {
    ...{
      state: 'incomplete',
      finished_at: new Date(),
      error: 'You unfollowed the channel while its older videos were being loaded.',
    },
    ...{ claim: null, heartbeat_at: null, next_attempt_at: null },
  }
}

/** `video_ids`: the videos whose files return. `left`: how many files stay in the bin, because they exceed the quota. */
export type RestoredFiles = { video_ids: string[]; left: number }

/** Records the files of the channel as complete, the newest videos first, as far as the quota allows. */
export async function restoreFiles(
  tx: Queryable,
  { user_id, channel_id }: Kept,
  { hours, quota_bytes }: BinLimits,
): Promise<RestoredFiles> {
  const mine = tx`user_id = ${user_id}`
  const { move, noRun, noRequest, noFailures } = movesOf(tx, user_id)
  const of_channel = tx`channel_id = ${channel_id} and with_channel`
  const all = await tx<{ video_id: string }[]>`
    select   video_id
    from     deleted_files
    where    ${mine} and ${of_channel} and deleted_at > now() - ${hours} * interval '1 hour'
    order by video_id
    for update`
  const room = quota_bytes === 0 ? Number.MAX_SAFE_INTEGER : quota_bytes - (await bytesUsedIn(tx, user_id, ''))
  const fitting = await tx<{ video_id: string }[]>`
    select   video_id
    from     (select file.video_id, sum(file.file_size) over (order by entry.sort_at desc, file.video_id) as bytes
              from   deleted_files file
              join   video_entries entry using (user_id, channel_id, video_id)
              where  file.user_id = ${user_id} and file.channel_id = ${channel_id} and with_channel
              and    file.video_id = any(${all.map(({ video_id }) => video_id)})
              and    entry.download_status <> 'COMPLETED') file
    where    bytes <= ${room}
    order by video_id`
  const video_ids = fitting.map(({ video_id }) => video_id)
  await move(tx, 'restore', video_ids, tx`${noRun}, ${noRequest}, ${noFailures}, ${fromBin(tx, user_id)}`)
  await removeDownloads(tx, user_id, video_ids)
  await tx`delete from deleted_files where ${mine} and video_id = any(${video_ids})`
  const { count: left } = await tx`update deleted_files set with_channel = false where ${mine} and ${of_channel}`
  return { video_ids, left }
}
