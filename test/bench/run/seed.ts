/**
 * Fills a database by plain SQL that works on any version of the schema: it names only columns that every version has, and lets
 * the others default. No code of the service runs, so a seed takes seconds.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Sql } from '../../../src/db/postgres/client.ts'

export type Person = { user_id: string; headers: Record<string, string> }

/**
 * People who are signed in. Requests are limited for each person and each address, so every person has an address too; the
 * service believes it with `TRUSTED_PROXIES=loopback`.
 */
export async function addPeople(sql: Sql, count: number): Promise<Person[]> {
  const rows = await sql<{ id: string }[]>`
    insert into users (username, password_hash)
    select 'person-' || gen_random_uuid(), 'not a hash'
    from   generate_series(1, ${count})
    returning id`
  const people = rows.map(({ id }, n) => ({ user_id: id, token: `b${randomBytes(32).toString('hex')}`, n }))
  await sql`
    insert into sessions (id, user_id, expires_at)
    select id, user_id, now() + interval '1 day'
    from   unnest(${people.map(({ token }) => createHash('sha256').update(token).digest('hex'))}::text[],
                  ${people.map(({ user_id }) => user_id)}::uuid[]) as session (id, user_id)`
  return people.map(({ user_id, token, n }) => ({
    user_id,
    headers: { cookie: `session=${token}`, 'x-forwarded-for': `10.0.${n >> 8}.${n & 255}` },
  }))
}

export type Library = {
  channels: number
  entries_each: number
  /** Of the channel `c1`. Absent: as many as the others have. */
  of_first?: number
  /** With 10, every tenth video has a title in a script without spaces. 0: none has. */
  unspaced_every?: number
}

/**
 * Gives every person the channels `c1`, `c2` … with the videos `c1v1`, `c1v2` … on 20 hosts, one an hour, the newest now. The words of
 * their titles and descriptions are as frequent as words of a language (Zipf): `wordOf(1)` is in nearly every video.
 */
export async function fillLibraries(
  sql: Sql,
  people: Person[],
  { channels, entries_each, of_first = entries_each, unspaced_every = 0 }: Library,
): Promise<void> {
  const ids = people.map(({ user_id }) => user_id)
  await sql`
    insert into channels (user_id, channel_id, title, rss_url, last_fetched_at, next_fetch_at)
    select user_id, 'c' || c, 'Channel ' || c, 'https://videos.example/c' || c || '.xml', now(), now() + interval '1 day'
    from   unnest(${ids}::uuid[]) as user_id, generate_series(1, ${channels}::int) as c`
  const texts = await makeTexts(sql, ids.length * channels * entries_each, unspaced_every)
  await sql`
    insert into video_entries (
      user_id, channel_id, video_id, video_url, title, thumbnail_url, description, published_at, first_seen_at)
    select user_id,
           'c' || c,
           'c' || c || 'v' || v,
           'https://site' || v % 20 || '.example/c' || c || 'v' || v,
           title,
           'https://videos.example/c' || c || 'v' || v || '.jpg',
           description,
           at, at + interval '10 minutes'
    from   unnest(${ids}::uuid[]) as user_id
    cross join generate_series(1, ${channels}::int) as c
    cross join generate_series(1, case c when 1 then ${of_first}::int else ${entries_each}::int end) as v
    cross join lateral (select now() - (v * interval '1 hour') - (c * interval '1 second') as at) as dated
    join   texts on n = 1 + (c * 7919 + v * 104729) % ${texts}::int`
  await cleaned(sql)
}

/** Lets the pictures of all videos be stored. Otherwise a service plans all of them in its first minutes, which takes 8 MB of log. */
export async function storePictures(sql: Sql): Promise<void> {
  await sql`
    insert into pictures (kind, source_hash, url, host, stored_at, fetch_at)
    select 'video', md5(thumbnail_url)::uuid, thumbnail_url, 'videos.example', now(), null
    from   video_entries`
  // The weekly pass over all pictures has ended.
  await sql`insert into picture_pass (kind) values (null) on conflict (is_only) do update set kind = null`
}

/** Makes the temporary table `texts`: titles and descriptions, which many videos share. Returns how many. */
export async function makeTexts(sql: Sql, videos: number, unspaced_every = 0): Promise<number> {
  const texts = Math.min(20_000, videos)
  await sql`drop table if exists texts`
  await sql`
    create temp table texts as
    select n,
           case when n % nullif(${unspaced_every}::int, 0) = 0
                then (select string_agg(${randomLetter(sql)}, '') from generate_series(1, 14 + n % 3))
                else (select string_agg(${randomWord(sql)}, ' ') from generate_series(1, 7 + n % 2)) end as title,
           (select string_agg(${randomWord(sql)}, ' ') from generate_series(1, 30 + n % 2))
             || case when n % nullif(${unspaced_every}::int, 0) = 0
                     then ' ' || (select string_agg(${randomLetter(sql)}, '') from generate_series(1, 60 + n % 3)) else '' end as description
    from   generate_series(1, ${texts}::int) as n`
  return texts
}

const vocabulary = 20_000

/** The `rank`th most frequent word: its digits as letters. */
export const wordOf = (rank: number): string =>
  `${String(rank).replace(/\d/g, digit => 'abcdefghij'[Number(digit)] ?? '')}o`
const randomWord = (sql: Sql) => sql`
  translate(floor(exp(random() * ln(${vocabulary})))::int::text, '0123456789', 'abcdefghij') || 'o'`

const alphabet = 2000

/** The `rank`th most frequent letter of the titles without spaces. */
export const letterOf = (rank: number): string => String.fromCodePoint(0x4e00 + rank)
const randomLetter = (sql: Sql) => sql`chr(x'4e00'::int + floor(exp(random() * ln(${alphabet})))::int)`

/** Does what automatic cleaning would do later. */
export async function cleaned(sql: Sql): Promise<void> {
  await sql`vacuum analyze channels, video_entries, graphile_worker._private_jobs`
}

/** Makes these videos of every person run on a worker, which is the state that pages poll for. */
export async function letRun(sql: Sql, people: Person[], channel_id: string): Promise<void> {
  await sql`
    update video_entries
    set    download_status       = 'DOWNLOADING',
           download_requested_at = now(),
           download_started_at   = now(),
           download_claim        = gen_random_uuid(),
           download_heartbeat_at = now(),
           download_attempts     = 1,
           download_progress     = ${sql.json({ phase: 'downloading', percent: 42.6, downloaded_bytes: 310_000_000, total_bytes: 738_000_000, speed: 6_100_000, eta_seconds: 70 })}
    where  user_id = any(${people.map(({ user_id }) => user_id)}::uuid[]) and channel_id = ${channel_id}`
  await cleaned(sql)
}
