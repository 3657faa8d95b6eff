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
// The first sixty-one.
beforeAll(() => takeBackTo(61, earlier.url))
const unfolded = useDatabase({ from: earlier })
// The first sixteen. The order of these hooks matters: each copy is made between two steps back.
beforeAll(() => takeBackTo(16, earlier.url))
const fromBefore = useDatabase({ from: earlier })
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
  expect(latest.length).toBeGreaterThan(60)
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

it('the migration to folded letters makes the words of videos and moments anew that it changes', async () => {
  const { sql, url } = unfolded
  const [alice] = await sql`insert into users (username, password_hash) values ('alice', 'not a hash') returning id`
  const of = { user_id: alice?.id, channel_id: 'c' }
  await sql`insert into channels ${sql({ ...of, title: 'c', rss_url: 'https://videos.example/f' })}`
  const titles = ['Pokémon', 'Straße'.normalize('NFD'), 'ﾗｰﾒﾝ', 'plain <b>text', '“signs” 料理', 'Ёлка', 'x']
  for (const [at, title] of titles.entries()) {
    const video_url = `https://videos.example/${at}`
    const description = at === 6 ? 'crème brûlée' : null
    await sql`insert into video_entries ${sql({ ...of, video_id: `v${at}`, video_url, title, description })}`
  }
  const said = `l'été “à Paris” c:\\x 料理 Ünïcode`
  await sql`insert into transcripts ${sql({ user_id: of.user_id, video_id: 'v0', lines: '' })}`
  await sql`insert into moments (user_id, video_id, start_seconds, words) values (${of.user_id}, 'v0', 0, said_words(${said}))`

  await migrateUp(url)

  const stale = await sql`select title from video_entries where words is distinct from video_words(title, description)`
  const [moment] = await sql`select words::text as words, said_words(${said})::text as anew from moments`
  expect(stale).toEqual([])
  expect(moment?.words).toBe(moment?.anew)
  expect(moment?.words).toContain("'ete'")
})

it('the migration to shared slots keeps downloads of every state, in both directions', async () => {
  const { sql, url } = fromBefore
  const [alice] = await sql`insert into users (username, password_hash) values ('alice', 'not a hash') returning id`
  const of = { user_id: alice?.id, channel_id: 'c' }
  await sql`insert into channels ${sql({ ...of, title: 'c', rss_url: 'https://videos.example/f' })}`
  await sql`insert into channel_rules ${sql({ ...of, on_since: new Date(0) })}`
  const held = { download_claim: crypto.randomUUID(), download_heartbeat_at: new Date() }
  const states = {
    new: {},
    wanted: { download_requested_at: new Date() },
    running: { download_status: 'DOWNLOADING', download_requested_at: new Date(), ...held },
    there: { download_status: 'COMPLETED', download_path: 'there.mp4', file_size: 7 },
    again: { download_status: 'FAILED', download_error: 'It failed.', download_requested_at: new Date() },
    over: { download_status: 'FAILED', download_error: 'It failed.', download_attempts: 3 },
  }
  for (const [video_id, state] of Object.entries(states)) {
    for (const download_asked_by of video_id === 'new' ? [null] : ['person', 'rule']) {
      const video = { video_id: `${video_id} ${download_asked_by}`, title: 't', video_url: 'https://videos.example/v' }
      await sql`insert into video_entries ${sql({ ...of, ...video, download_asked_by, ...state })}`
    }
  }
  await sql`insert into host_pauses (host, until, reason) values ('videos.example', now() + interval '1 hour', 'asked')`

  await migrateUp(url)

  const kept = await sql<{ video_id: string; wanted: boolean }[]>`
    select video_id, download_status::text, download_requested_at is not null as wanted, download_by_rule as by_rule
    from   video_entries
    where  download_asked_by = 'rule'
    order by video_id`
  expect(kept.map(row => Object.values(row).join())).toEqual([
    'again rule,FAILED,true,true',
    // It failed after the three attempts of the old rules, so it is tried again.
    'over rule,FAILED,true,true',
    'running rule,DOWNLOADING,true,true',
    'there rule,COMPLETED,false,false',
    'wanted rule,PENDING,true,true',
  ])
  const others = await sql`
    select video_id from video_entries
    where  download_asked_by is distinct from 'rule' and (download_by_rule or video_id like 'over%' and download_requested_at is not null)`
  expect(others).toEqual([])
  expect(await sql`select from host_pauses`).toHaveLength(0)

  const aPause = sql({ host: 'videos.example', user_id: of.user_id, until: new Date(), reason: 'asked' })
  await sql`insert into host_pauses ${aPause}`
  await takeBackTo(16, url)
  const [{ count } = { count: 0 }] = await sql`select count(*)::int as count from video_entries`
  expect(count).toBe(11)
  expect(await sql`select from host_pauses`).toHaveLength(0)
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

/** Every column, constraint and index of our schema, as text. */
async function catalog(sql: Sql): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    select format('column %s.%s %s %s %s %s', table_name, column_name, udt_name, is_nullable, column_default, character_maximum_length) as line
    from   information_schema.columns
    where  table_schema = 'public'
    union all
    select format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from   pg_constraint
    where  connamespace = 'public'::regnamespace
    union all
    select format('index %s', indexdef) from pg_indexes where schemaname = 'public'
    union all
    select format('type %s', typname) from pg_type where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
    union all
    select format('function %s', proname) from pg_proc where pronamespace = 'public'::regnamespace
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
