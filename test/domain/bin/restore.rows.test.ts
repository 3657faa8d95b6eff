/**
 * Every column of everything that belongs to a channel returns with it. The columns are read from the database, so none can be forgotten.
 */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { restoreChannel } from '../../../src/domain/bin/restore.ts'
import { unfollowChannel } from '../../../src/domain/channels/channels.ts'
import { applyRule } from '../../../src/domain/rules/rules.ts'
import { rule_off } from '../../../src/schema/rules/rule.ts'
import { useApp } from '../../support/app/app.ts'
import { runDownload } from '../../support/app/files.ts'
import { follows, type Person, personWith } from '../../support/app/people.ts'
import { queuedFor } from '../../support/app/ruled-channel.ts'

const app = useApp()
const { sql } = app
const bin = { hours: 24, quota_bytes: 0 }
const channel_id = 'kitchen'

/**
 * The tables whose rows an unfollow deletes, with columns that stay empty here: of a run, of a failure, or of a rule that is tried later.
 */
const deleted_tables: Record<string, string[]> = {
  backfills: ['claim'],
  channel_groups: [],
  channel_rules: [],
  channels: [],
  podcast_feeds: ['group_id', 'playlist_id', 'list'],
  video_entries: [
    ...['download_claim', 'download_error', 'download_detail', 'download_heartbeat_at', 'download_progress'],
    ...[
      'download_cancelled_at',
      'download_next_attempt_at',
      'download_paused_at',
      'download_reason',
      'download_turn_at',
      'download_kept_bytes',
    ],
  ],
}
/** Numbers of episodes stay for good, and neither the lines of an import nor what is to be told belongs to the channel. */
const kept_tables = ['import_lines', 'media_channels', 'media_episodes', 'notifications']
/** They are made again from the other tables. */
const derived_tables = ['channel_changes', 'channel_summaries']

/** Columns that name a row, that a download has, or that the database computes. */
const not_filled =
  /^(id|user_id|channel_id|video_id|group_id|guid|video_url|video_host|standing|words|entry_count|rss_url|claim|download_.*|file_size|subtitles|address_hash)$/
const allowed: Record<string, string> = {
  quality: '720',
  live: 'only',
  live_status: 'was_live',
  availability: 'private',
  state: 'done',
  published_precision: 'day',
  source: 'listing',
}

type Column = { name: string; type: string }
const columnsOf = (table: string) => sql<Column[]>`
  select   column_name as name, data_type as type
  from     information_schema.columns
  where    table_schema = 'public' and table_name = ${table}
  order by ordinal_position`

/** Another value for each column. */
function filling({ name, type }: Column, nth: number): string {
  if (allowed[name]) return allowed[name]
  if (type.startsWith('timestamp')) return new Date(Date.UTC(2026, 2, 4, 5, 6, nth, 789)).toISOString()
  if (type === 'date') return '2026-03-05'
  if (type === 'uuid') return '11111111-1111-4111-8111-111111111111'
  if (type === 'boolean') return 'true'
  if (type === 'ARRAY') return `{"word ${nth}"}`
  if (type === 'jsonb') return `{"of": ${nth}}`
  return type === 'text' ? `text ${nth}` : String(nth + 1)
}

async function fill({ user }: Person, table: string): Promise<void> {
  const columns = (await columnsOf(table)).filter(({ name }) => !not_filled.test(name))
  const values = Object.fromEntries(columns.map((column, nth) => [column.name, filling(column, nth)]))
  if (columns.length === 0) return
  await sql`update ${sql(table)} set ${sql(values)} where user_id = ${user.user_id}`
}

async function rowsOf({ user }: Person, table: string): Promise<Record<string, unknown>[]> {
  const rows = await sql<{ row: Record<string, unknown> }[]>`
    select   to_jsonb(stored) as row
    from     ${sql(table)} stored
    where    user_id = ${user.user_id}
    order by to_jsonb(stored)->>'video_id'`
  // A restored channel is fetched soon.
  return rows.map(({ row }) => (table === 'channels' ? { ...row, next_fetch_at: null } : row))
}

it('each table of channels is restored, or kept by an unfollow', async () => {
  const rows = await sql<{ name: string }[]>`
    select table_name as name
    from   information_schema.columns
    where  table_schema = 'public' and column_name = 'channel_id' and not starts_with(table_name, 'deleted_')`
  const known = [...Object.keys(deleted_tables), ...kept_tables, ...derived_tables]
  expect(rows.map(({ name }) => name).toSorted()).toEqual(known.toSorted())
})

it('each column of a channel, its rule, its backfill, its videos and their viewings returns with its value', async () => {
  const alice = await personWith(sql, 'alice', channel_id, ['v1', 'v2', 'v3'])
  await alice.library.rules.save(channel_id, { ...rule_off, auto_download: true, keep_newest: 3 })
  await sql`
    insert into backfills (user_id, channel_id, state, finished_at) values (${alice.user.user_id}, ${channel_id}, 'done', now())`
  await runDownload(app.files, alice, 'v1', 'mp4', ['en'])
  await alice.library.downloads.request(['v2'])
  const { group_id } = await alice.library.groups.create('Bread')
  await alice.library.groups.setOfChannel(channel_id, [group_id])
  for (const id of ['v1', 'v3']) await alice.library.viewings.record(id, { seen: true })
  const tables = { ...deleted_tables, viewings: [] }
  for (const table of Object.keys(tables)) await fill(alice, table)
  await alice.library.podcasts.add({ of: { channel_id }, kind: 'audio', newest: 9 }, () => randomUUID())
  await sql`update podcast_feeds set created_at = '2026-03-04T05:06:07.890Z' where user_id = ${alice.user.user_id}`
  await sql`update video_entries set guid = 'guid ' || video_id where user_id = ${alice.user.user_id}`

  const before: Record<string, unknown> = {}
  for (const [table, empty] of Object.entries(tables)) {
    const rows = await rowsOf(alice, table)
    const names = (await columnsOf(table)).map(({ name }) => name).filter(name => name !== 'next_fetch_at')
    const unfilled = names.filter(name => rows.every(row => row[name] === null))
    expect({ table, unfilled: unfilled.toSorted() }).toEqual({ table, unfilled: empty.toSorted() })
    before[table] = rows
  }
  await unfollowChannel(alice.library, { files: app.files, bin }, channel_id)
  for (const table of Object.keys(tables)) expect(await rowsOf(alice, table)).toEqual([])

  await restoreChannel(alice.library, { files: app.files, bin }, channel_id)

  for (const table of Object.keys(tables))
    expect({ table, rows: await rowsOf(alice, table) }).toEqual({ table, rows: before[table] })
})

it('a restored channel downloads what it would have downloaded without the unfollow, and no more', async () => {
  const queuedOf = async (name: string, isUnfollowed: boolean) => {
    const one = await personWith(sql, name, channel_id, ['old', 'cancelled', 'waiting'])
    await one.library.rules.save(channel_id, { ...rule_off, auto_download: true })
    await follows(one, channel_id, ['old', 'cancelled', 'waiting', 'dropped', 'new'])
    await applyRule(one.library, channel_id)
    await one.library.downloads.cancel('dropped')
    await one.library.downloads.request(['waiting', 'cancelled'])
    await one.library.downloads.cancel('cancelled')
    const before = await queuedFor(one, sql)
    if (isUnfollowed) {
      await unfollowChannel(one.library, { files: app.files, bin }, channel_id)
      expect(await queuedFor(one, sql)).toEqual([])
      await restoreChannel(one.library, { files: app.files, bin }, channel_id)
      expect(await queuedFor(one, sql)).toEqual(before)
    }
    await follows(one, channel_id, ['old', 'cancelled', 'waiting', 'dropped', 'new', 'newest'])
    await applyRule(one.library, channel_id)
    return queuedFor(one, sql)
  }
  const expected = await queuedOf('bob', false)
  expect(expected).toContain('waiting')
  expect(await queuedOf('alice', true)).toEqual(expected)
})
