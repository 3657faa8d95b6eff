/** Reads what a backup keeps, all of it as it was at one moment, while people and workers go on. */
import type { Counter, KeptFiles, MigrationName } from '../../../schema/service/backup.ts'
import type { Everyone } from '../../everyone.ts'
import {
  eachValue,
  onlyValue,
  type Piece,
  type Queryable,
  service_name,
  type Transaction,
} from '../../postgres/client.ts'
import { withoutTimeouts } from '../../postgres/filling.ts'
import { newestMigration } from '../../postgres/migrations.ts'
import { countersOf, type OurTable, ourTables, readJobs, readRows, type Text } from '../../postgres/our-tables.ts'
import { cutSize, cutSizeOfDeleted } from '../../rows/sound-rows.ts'

/**
 * What must not come back: a sign-in that was ended after the backup would be open again, and so would a link to a new password or an
 * invitation that was used since. Messages would be sent twice. Cookies and the keys of media servers are
 * sign-ins of people elsewhere, and SECRET_KEY is not in a backup. The others count or live for minutes.
 */
const not_kept = [
  'invitations',
  'media_server_videos',
  'media_servers',
  'messages',
  'notifications',
  'password_resets',
  'sessions',
  'sign_in_attempts',
  'sign_in_failures',
  'site_cookies',
  'workers',
]

/** Those that open something once are not kept, for the same reason. */
const keptSecrets = (tx: Transaction) => tx`kind = any('{token,play,share,podcast}')`

export type Snapshot = {
  migration: MigrationName
  postgres: string
  /** A table before those that refer to it. */
  tables: OurTable[]
  rows(table: OurTable): Text
  jobs(): Text
  counters(): Promise<Counter[]>
  keptFiles(): AsyncIterable<KeptFiles[]>
}

/** `work` reads one thing after the other. Until it ends, the database cleans up no old rows. */
export async function inSnapshot<T>(sql: Everyone, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const tables = await ourTables(sql)
  // A database that waits for its update has none yet.
  const has_sounds = tables.some(({ name }) => name === 'sounds')
  return sql.begin('isolation level repeatable read read only', async tx => {
    await withoutTimeouts(tx)
    // Before the first row is read, so that no migration changes a table between the snapshot and its reading.
    for (const { name } of tables) await tx`lock table ${tx(name)} in access share mode`
    const migration = await newestMigration(tx)
    if (!migration) throw new Error('The database has no tables of Backlot yet. Start the service once.')
    return work({
      migration,
      postgres: await onlyValue<string>(tx`show server_version`),
      tables: tables.filter(({ name }) => !not_kept.includes(name)),
      rows: table => readRows(tx, table, table.name === 'secrets' ? keptSecrets(tx) : undefined),
      jobs: () => readJobs(tx),
      counters: () => countersOf(tx),
      keptFiles: () => keptFiles(tx, has_sounds),
    })
  }) as Promise<T>
}

const files_at_once = 1000

/** In the order of the list. Several rows may name one file. */
async function* keptFiles(tx: Transaction, has_sounds: boolean): AsyncGenerator<KeptFiles[]> {
  const hasSound = (size: (tx: Transaction) => Piece) => (has_sounds ? tx`${size(tx)} is not null` : tx`false`)
  yield* tx<KeptFiles[]>`
    select   distinct on (entry.download_path collate "C")
             'video' as kind, entry.download_path as name, subtitles as languages, ${hasSound(cutSize)} as has_sound
    from     video_entries entry
    where    standing = 'done'
    order by entry.download_path collate "C"`.cursor(files_at_once)
  yield* tx<KeptFiles[]>`
    select   distinct on (download_path collate "C")
             'deleted' as kind, download_path as name,
             array(select jsonb_array_elements_text(file->'subtitles')) as languages,
             ${hasSound(cutSizeOfDeleted)} as has_sound
    from     deleted_files
    order by download_path collate "C"`.cursor(files_at_once)
  yield* tx<KeptFiles[]>`
    select   'picture' as kind, picture_id::text as name
    from     pictures
    where    stored_at is not null
    order by picture_id`.cursor(files_at_once)
}

/** The names that a row still has. Files are moved and deleted while a backup is made. */
export async function stillKept(sql: Everyone, kept: KeptFiles[]): Promise<Set<string>> {
  const namesOf = (kind: KeptFiles['kind']) => kept.filter(one => one.kind === kind).map(({ name }) => name)
  const names = await eachValue<string>(sql`
    select download_path
    from   video_entries
    where  standing = 'done' and download_path = any(${namesOf('video')}::text[])
    union
    select download_path
    from   deleted_files
    where  download_path = any(${namesOf('deleted')}::text[])
    union
    select picture_id::text
    from   pictures
    where  stored_at is not null and picture_id = any(${namesOf('picture')}::text[]::uuid[])`)
  return new Set(names)
}

/** In bytes, with indexes. */
export const sizeOfDatabase = (sql: Everyone): Promise<number> =>
  onlyValue<number>(sql`select pg_database_size(current_database()) as bytes`)

/** How many connections a running service has to this database. */
export const connectionsOfService = (sql: Everyone<Queryable>): Promise<number> =>
  onlyValue<number>(sql`
    select count(*) as connections
    from   pg_stat_activity
    where  datname = current_database() and application_name = ${service_name}`)
