/** Checks that the archive has every column of a person's rows, or that one list says why not. */
import { expect, it } from 'vitest'
import { channel_fields, video_fields, viewing_fields } from '../../src/db/rows/archive-fields.ts'
import { rule_columns } from '../../src/db/rules/rule-columns.ts'
import { Settings } from '../../src/schema/settings/settings.ts'
import { useDatabase } from '../support/app/database.ts'

const { sql } = useDatabase()

const of = (table: string, columns: readonly string[], called: Record<string, string> = {}) =>
  columns.map(column => `${table}.${called[column] ?? column}`)
const words = (text: string) => text.trim().split(/\s+/)

const archived = [
  ...of('users', [...Object.keys(Settings.shape), 'default_rule']),
  ...of('channels', Object.keys(channel_fields), { followed_at: 'created_at' }),
  ...of('channel_rules', [...rule_columns, 'channel_id', 'playlist_id', 'on_since']),
  ...of('video_entries', Object.keys(video_fields), {
    requested_by: 'download_asked_by',
    downloaded: 'download_status',
  }),
  ...of('viewings', Object.keys(viewing_fields)),
  ...of('groups', words('name bell')),
  ...of('channel_groups', words('channel_id group_id')),
  ...of('saved_searches', words('name q sort')),
  ...of('playlists', ['name']),
  ...of('playlist_videos', words('playlist_id video_id place')),
]

/** What the archive leaves out, by reason. A name without a column means the whole table. */
const left_out: Record<string, string[]> = {
  'names the row or its person here': [
    ...of('users', words('id username role created_at last_seen_at locked_at quota_gb')),
    ...of('groups', words('group_id created_at deleted_at')),
    ...of('saved_searches', words('saved_search_id created_at deleted_at')),
    ...of('playlists', words('playlist_id created_at deleted_at')),
    ...of('playlist_videos', words('added_at removed_at')),
    ...words('channels.id video_entries.id'),
  ],
  'is a secret, or says where a person signs in, is notified or subscribes': words(`
    users.password_hash api_tokens identities links notification_targets media_server_videos media_servers passkeys password_resets podcast_feeds secrets
    sessions sign_in_attempts site_cookies`),
  'is how a page was left': of('users', words('looked_at new_filter new_since')),
  'passes within days': [
    ...words(`
      backfills deleted_channels deleted_files deleted_videos download_pauses host_pauses host_probes import_lines import_parts
      imports messages notifications rule_holds tool_outcomes turns_given users.captions_at`),
    ...of('channel_rules', words('also_since apply_at judge_from judge_to requested_count requested_on revision')),
  ],
  'derives from other columns': [
    ...words('channel_changes channel_summaries channels.entry_count'),
    ...of('video_entries', words('address_hash standing video_host words words_hash')),
  ],
  'is of files, which the archive does not have': [
    ...words('media_channels media_episodes media_paths media_playlists media_trees sounds'),
    ...of('video_entries', words('download_path file_is_read file_size file_streams subtitles download_copied')),
  ],
  'is of a download, which an import requests anew': of(
    'video_entries',
    words(`
      download_attempts download_by_rule download_cancelled_at download_claim download_completed_at download_detail download_error
      download_failures download_heartbeat_at download_kept_bytes download_next_attempt_at download_paused_at download_progress
      download_quality download_reason download_requested_at download_restarts download_started_at download_turn_at
      download_turns_lost wanted_quality`),
  ),
  'is asked of the site again': [
    ...words('moments transcripts'),
    ...of(
      'channels',
      words(`
        body_hash etag every_minutes failing_since feed_warning fetch_error fetch_failed_at fetch_failures last_fetched_at
        last_modified list_at list_since listed_at next_fetch_at pictured_at refresh_asked_at skipped`),
    ),
    ...of('video_entries', words('look_at looked_at looks site_facts')),
  ],
  'says what an import has brought': words('channels.first_checked_at channels.imported_at viewings.imported_at'),
}

it('every column of a person’s rows is in the archive, or one list says why not', async () => {
  const found = await sql<{ table: string; column: string }[]>`
    select table_name as table, column_name as column
    from   information_schema.columns
    where  table_schema = 'public' and column_name <> 'user_id'
    and    (table_name = 'users' or table_name in (select table_name from information_schema.columns where column_name = 'user_id'))`
  const columns = new Set(found.map(({ table, column }) => `${table}.${column}`))
  const tables = new Set(found.map(({ table }) => table))
  const named = Object.values(left_out).flat()
  const isSaid = ({ table, column }: (typeof found)[number]) =>
    archived.includes(`${table}.${column}`) || named.includes(`${table}.${column}`) || named.includes(table)

  expect(
    found.filter(column => !isSaid(column)),
    'columns that are neither archived nor left out with a reason',
  ).toEqual([])
  const stale = [...archived, ...named].filter(name => !columns.has(name) && !tables.has(name))
  expect({ stale, both: named.filter(name => archived.includes(name)) }).toEqual({ stale: [], both: [] })
})
