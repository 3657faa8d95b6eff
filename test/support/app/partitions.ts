/** In the database: splits the tables of people's data into hash partitions by `user_id`, with all their keys, indexes and triggers. */
import type { Queryable, Sql } from '../../../src/db/postgres/client.ts'

/** The tables of one person's library, a table before those that refer to it. The person is known before a row is read. */
export const library_tables = [
  'channels',
  'channel_summaries',
  'channel_changes',
  'video_entries',
  'channel_rules',
  'viewings',
  'imports',
  'import_lines',
  'import_parts',
  'rule_holds',
  'download_pauses',
  'turns_given',
  'tool_outcomes',
  'backfills',
  'groups',
  'channel_groups',
  'saved_searches',
  'playlists',
  'playlist_videos',
  'media_trees',
  'media_channels',
  'media_episodes',
  'media_playlists',
  'deleted_files',
  'deleted_channels',
  'deleted_videos',
  'transcripts',
  'moments',
  'sounds',
  'podcast_feeds',
  'notification_targets',
  'notifications',
  'messages',
  'site_cookies',
]

/** Their rows are read to find the person, by the hash of a token, so their keys cannot include the person. They stay whole. */
export const account_tables = [
  'api_tokens',
  'identities',
  'links',
  'passkeys',
  'password_resets',
  'sessions',
  'sign_in_attempts',
]

const partitions = 4

/** Replaces each of the tables, which must be empty, by one of the same name that is split by person. */
export async function splitByPerson(sql: Sql): Promise<void> {
  await sql.begin(async tx => {
    const parts = await Promise.all(library_tables.map(table => partsOf(tx, table)))
    // An identity that belongs to a partitioned table is known from Postgres 17 on.
    for (const table of library_tables) {
      await tx`
        create table split
        (like ${tx(table)} including defaults including generated including identity including constraints)
        partition by hash (user_id)`
      for (let nth = 0; nth < partitions; nth++) {
        await tx.unsafe(
          `create table ${table}_${nth} partition of split for values with (modulus ${partitions}, remainder ${nth})`,
        )
      }
      await tx`drop table ${tx(table)} cascade`
      await tx`alter table split rename to ${tx(table)}`
    }
    for (const statement of parts.flat()) await tx.unsafe(statement)
  })
}

/** The statements that `like` does not copy: keys, foreign keys, indexes and triggers, each with its name. */
async function partsOf(tx: Queryable, table: string): Promise<string[]> {
  const rows = await tx<{ statement: string }[]>`
    select 'alter table ' || ${table} || ' add constraint ' || conname || ' ' || pg_get_constraintdef(oid) as statement
    from   pg_constraint
    where  conrelid = ${table}::regclass and contype in ('p', 'u', 'f')
    union all
    select pg_get_indexdef(indexrelid)
    from   pg_index
    where  indrelid = ${table}::regclass
    and    not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
    union all
    select pg_get_triggerdef(oid)
    from   pg_trigger
    where  tgrelid = ${table}::regclass and not tgisinternal`
  // A foreign key needs the key that it refers to.
  return rows.map(({ statement }) => statement).toSorted((a, b) => Number(isForeign(a)) - Number(isForeign(b)))
}

const isForeign = (statement: string) => statement.includes(' FOREIGN KEY ')
