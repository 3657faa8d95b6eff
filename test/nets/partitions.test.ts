/**
 * Checks that the tables of people's data can be split by person, as hash partitions or over several servers: every key of such a table
 * includes the person. `routes.test.ts` has Postgres plan the statements on split tables; suites with `split: true` run on them.
 */
import { expect, it } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { library_tables } from '../support/app/partitions.ts'

const { sql } = useDatabase()

it('every primary key and unique index of a table of people’s data includes the person', async () => {
  const keys = await sql<{ name: string; columns: string[] }[]>`
    select indexrelid::regclass::text as name,
           array(select attname::text
                 from   pg_attribute
                 where  attrelid = indrelid and attnum = any(indkey)) as columns
    from   pg_index
    where  indisunique and indrelid = any(${library_tables}::text[]::regclass[])`
  expect(keys.length).toBeGreaterThan(library_tables.length)
  expect(keys.filter(({ columns }) => !columns.includes('user_id'))).toEqual([])
})

it('every foreign key between tables of people’s data includes the person', async () => {
  const keys = await sql<{ name: string; columns: string[] }[]>`
    select conname as name,
           array(select attname::text
                 from   pg_attribute
                 where  attrelid = conrelid and attnum = any(conkey)) as columns
    from   pg_constraint
    where  contype = 'f' and conrelid = any(${library_tables}::text[]::regclass[])`
  expect(keys.length).toBeGreaterThan(5)
  expect(keys.filter(({ columns }) => !columns.includes('user_id'))).toEqual([])
})

it('no index of a table of people’s data begins with another column than the person, except the listed ones', async () => {
  const indexes = await sql<{ name: string }[]>`
    select indexrelid::regclass::text as name
    from   pg_index
    -- An index that begins with an expression has no such column.
    left join pg_attribute on attrelid = indrelid and attnum = indkey[0]
    where  indrelid = any(${library_tables}::text[]::regclass[]) and attname is distinct from 'user_id'
    order by name`
  expect(indexes.map(({ name }) => name)).toEqual(Object.keys(over_all_people).toSorted())
})

/** Why each index is needed over all people, or what keeps it small. */
const over_all_people = {
  channel_rules_apply_at_idx: 'housekeeping finds the rules that are due, and only these are in it',
  channels_feed_host_idx: 'a refused feed asks whether others follow feeds of its host',
  channels_list_idx: 'housekeeping finds the feeds whose listing is read instead; only those are in it',
  channels_next_fetch_at_idx: 'housekeeping finds the feeds that are due',
  channels_rss_url_idx: 'a fetched feed is saved for all its followers',
  channels_unplanned_idx: 'housekeeping plans new feeds; only feeds without a plan are in it',
  deleted_channels_oldest_idx: 'housekeeping finds what was deleted long ago; it has what was deleted within BIN_HOURS',
  deleted_files_oldest_idx:
    'a full disk empties the bin of all people, oldest first; it has what was deleted within BIN_HOURS',
  imports_being_read_idx:
    'housekeeping deletes imports whose file is no longer read; only those whose file is read are in it',
  media_trees_checked_idx: 'housekeeping finds the trees of MEDIA_DIR that are due; without MEDIA_DIR it is empty',
  moments_search_idx: 'has the person next to the words',
  tool_outcomes_ended_at: 'old outcomes are deleted',
  video_entries_download_status_idx: 'it is a part of the download fields that is promised to operators',
  video_entries_ended_idx: 'a host is paused after its last download, and only videos that were downloaded are in it',
  video_entries_look_due_idx: 'housekeeping finds the looks that are due; only planned looks are in it',
  video_entries_look_turn_idx: 'looks at one host take turns between people; only planned looks are in it',
  video_entries_look_idx:
    'a look is stored for all who have planned one for the same video; only planned looks are in it',
  video_entries_running_idx: 'only running downloads are in it',
  video_entries_same_video_idx:
    'a run finds another person’s file or run of the same video; only videos with a file or a request are in it',
  video_entries_search_idx: 'the owner is its third column: GIN uses all columns alike',
  video_entries_standing_idx: 'recovery, holds and numbers for the operator; only videos that were requested are in it',
}
