/** Runs all migrations up, down, and up again to the identical schema. */
import { readdir, readFile } from 'node:fs/promises'
import { beforeAll, expect, it } from 'vitest'
import type { Sql } from '../../src/db/postgres/client.ts'
import { migrateDown, migrateUp, requireMigrated } from '../../src/db/postgres/migrations.ts'
import { useDatabase } from '../support/app/database.ts'

const db = useDatabase({ empty: true })
const concurrent = useDatabase({ empty: true })
// All migrations.
const behind = useDatabase()
const earlier = useDatabase()
// The first three. The order of these hooks matters: each copy is made between two steps back.
beforeAll(() => takeBackTo(3, earlier.url))
const withOwners = useDatabase({ from: earlier })
// The first two.
beforeAll(() => takeBackTo(2, earlier.url))
const first = useDatabase({ from: earlier })
const inUse = useDatabase({ from: earlier })

/** Takes migrations back until the first so many are left. */
async function takeBackTo(count: number, url: string): Promise<void> {
  const last = String(count + 1).padStart(6, '0')
  let taken = await migrateDown(url)
  while (taken && !taken.startsWith(last)) taken = await migrateDown(url)
}

it('all migrations can be undone, and run again to the identical schema', async () => {
  const before = await catalog(db.sql)
  await migrateUp(db.url)
  const latest = await catalog(db.sql)

  const taken: string[] = []
  for (let file = await migrateDown(db.url); file; file = await migrateDown(db.url)) taken.push(file)
  const empty = await catalog(db.sql)
  await migrateUp(db.url)

  expect(taken).toEqual((await readdir('migrations/revert')).toSorted().toReversed())
  expect(empty).toEqual(before)
  expect(await catalog(db.sql)).toEqual(latest)
  for (const kind of ['table', 'column', 'constraint', 'index', 'trigger', 'function', 'type', 'sequence'])
    expect(latest.filter(line => line.startsWith(`${kind} `))).not.toEqual([])
})

it('the migration of the download fields can be undone alone, with its index', async () => {
  const with_fields = await catalog(first.sql)

  expect(await migrateDown(first.url)).toBe('000002-download-tracking.sql')

  const without = await catalog(first.sql)
  const gone = with_fields.filter(line => !without.includes(line))
  for (const field of ['status', 'path', 'started_at', 'completed_at', 'error'])
    expect(gone.some(line => line.includes(`download_${field}`))).toBe(true)
  expect(gone.some(line => line.includes('file_size'))).toBe(true)
  expect(gone.some(line => line.startsWith('index') && line.includes('download_status'))).toBe(true)
})

it('the migration to owners refuses channels without an owner with a sentence, and changes nothing', async () => {
  await inUse.sql`insert into channels ${inUse.sql(await aChannel(inUse.sql))}`
  const before = await catalog(inUse.sql)

  await expect(migrateUp(inUse.url)).rejects.toThrow(/channels/i)

  expect(await catalog(inUse.sql)).toEqual(before)
  const [row] = await inUse.sql`select count(*) as count from channels`
  expect(row?.count).toBe(1)
})

it('videos that the first three migrations stored get what the later ones compute', async () => {
  const { sql, url } = withOwners
  const [alice] = await sql`insert into users (username, password_hash) values ('alice', 'not a hash') returning id`
  const of = { user_id: alice?.id, channel_id: 'c' }
  await sql`insert into channels ${sql({ ...of, title: 'c', rss_url: 'https://videos.example/f' })}`
  const there = { download_status: 'COMPLETED', download_path: 'there.mp4', file_size: 7 }
  for (const video of [
    { video_id: 'old', title: 'Pokémon', published_at: new Date(0) },
    { video_id: 'undated', title: 'x', ...there },
  ])
    await sql`insert into video_entries ${sql({ ...of, video_url: 'https://www.videos.example/v', ...video })}`

  await migrateUp(url)

  const entries = await sql`
    select   video_id, sort_at = coalesce(published_at, first_seen_at) as in_place, words::text, video_host as host,
             download_asked_by as by, standing
    from     video_entries
    order by video_id`
  const computed = { in_place: true, host: 'videos.example' }
  expect(entries).toEqual([
    { video_id: 'old', ...computed, words: "'pokemon':1A", by: null, standing: null },
    { video_id: 'undated', ...computed, words: "'x':1A", by: 'person', standing: 'done' },
  ])
  expect(await sql`select entry_count from channels`).toEqual([{ entry_count: 2 }])

  await takeBackTo(3, url)
  expect(await sql`select video_id, file_size from video_entries order by video_id`).toEqual([
    { video_id: 'old', file_size: null },
    { video_id: 'undated', file_size: 7 },
  ])
})

it('several processes can migrate at the same time', async () => {
  await Promise.all([migrateUp(concurrent.url), migrateUp(concurrent.url), migrateUp(concurrent.url)])
  await expect(requireMigrated(concurrent.url)).resolves.toBeUndefined()
})

it('a database without the newest migrations says what to do', async () => {
  await migrateDown(behind.url)
  await expect(requireMigrated(behind.url)).rejects.toThrow('npm run migrate')
})

it('every migration begins with a sentence and can be undone', async () => {
  const committed = await readdir('migrations/committed')
  expect(await readdir('migrations/revert')).toEqual(committed)
  for (const file of committed) {
    const text = await readFile(`migrations/committed/${file}`, 'utf8')
    const own = text.split('\n').filter(line => line !== '' && !line.startsWith('--!'))
    expect(own[0]).toMatch(/^-- \w+/)
  }
})

/** Everything that migrations create in our schema, as text: also bodies of functions, generated columns and comments. */
async function catalog(sql: Sql): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    with ours as (
      select oid, relname, relkind, reloptions
      from   pg_class
      where  relnamespace = 'public'::regnamespace
    )
    select format('table %s %s %s %s', relname, relkind, reloptions, obj_description(oid, 'pg_class')) as line
    from   ours
    union all
    select format('column %s.%s %s', relname, attname, concat_ws(' ',
             attnum, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, pg_get_expr(adbin, adrelid),
             attstorage, attcompression, attstattarget, attoptions, col_description(attrelid, attnum)))
    from   ours
    join   pg_attribute on attrelid = ours.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on (adrelid, adnum) = (attrelid, attnum)
    where  relkind in ('r', 'p')
    union all
    select format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from   pg_constraint
    where  connamespace = 'public'::regnamespace
    union all
    select format('index %s', pg_get_indexdef(oid)) from ours where relkind = 'i'
    union all
    select format('trigger %s %s', pg_get_triggerdef(pg_trigger.oid), tgenabled)
    from   ours
    join   pg_trigger on tgrelid = ours.oid and not tgisinternal
    union all
    select format('function %s', pg_get_functiondef(oid)) from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select format('type %s %s', typname,
             array(select enumlabel::text from pg_enum where enumtypid = pg_type.oid order by enumsortorder))
    from   pg_type
    where  typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
    union all
    select format('sequence %s %s %s', relname, seqstart, seqincrement)
    from   ours
    join   pg_sequence on seqrelid = ours.oid
    order by line`
  return rows.map(({ line }) => line)
}

/** Inserts a row with the columns that the second migration leaves required. */
async function aChannel(sql: Sql): Promise<Record<string, string>> {
  const columns = await sql<{ column_name: string; udt_name: string }[]>`
    select column_name, udt_name
    from   information_schema.columns
    where  table_schema = 'public' and table_name = 'channels' and is_nullable = 'NO' and column_default is null
    and    is_identity = 'NO'`
  return Object.fromEntries(columns.map(({ column_name }) => [column_name, `https://videos.example/${column_name}`]))
}
