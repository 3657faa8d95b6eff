/** Fills the tables with the videos of many other people, fast: the indexes are made after the rows. */
import type { Sql } from '../../../src/db/postgres/client.ts'
import { addPeople, cleaned } from './seed.ts'

const people_at_once = 50
const channels_each = 20

/** Millions of rows take minutes. */
export async function fillNeighbours(sql: Sql, { people, entries_each }: { people: number; entries_each: number }) {
  const restore = await withoutIndexes(sql)
  for (let left = people; left > 0; left -= people_at_once) {
    const ids = (await addPeople(sql, Math.min(left, people_at_once))).map(({ user_id }) => user_id)
    await sql`
      insert into channels (user_id, channel_id, title, rss_url, last_fetched_at, next_fetch_at)
      select user_id, 'c' || c, 'Channel ' || c, 'https://videos.example/c' || c || '.xml', now(), now() + interval '1 day'
      from   unnest(${ids}::uuid[]) as user_id, generate_series(1, ${channels_each}::int) as c`
    await sql`
      insert into video_entries (user_id, channel_id, video_id, video_url, title, published_at, first_seen_at)
      select user_id,
             'c' || 1 + v % ${channels_each}::int,
             'c' || 1 + v % ${channels_each}::int || 'v' || v,
             'https://site' || v % 20 || '.example/' || v,
             'Video ' || v,
             now() - v * interval '1 hour',
             now() - v * interval '1 hour'
      from   unnest(${ids}::uuid[]) as user_id
      cross join generate_series(1, ${entries_each}::int) as v`
  }
  await restore()
  await cleaned(sql)
}

/** Drops what is costly to maintain row by row: the foreign key, and all indexes that are no constraint. */
async function withoutIndexes(sql: Sql): Promise<() => Promise<void>> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition
    from   pg_indexes
    where  tablename = 'video_entries' and indexname not in (select conname from pg_constraint)`
  const keys = await sql<{ name: string; definition: string }[]>`
    select conname as name, pg_get_constraintdef(oid) as definition
    from   pg_constraint
    where  conrelid = 'video_entries'::regclass and contype = 'f'`
  for (const { name } of indexes) await sql`drop index ${sql(name)}`
  for (const { name } of keys) await sql`alter table video_entries drop constraint ${sql(name)}`
  return async () => {
    for (const { definition } of indexes) await sql.unsafe(definition)
    for (const { name, definition } of keys)
      await sql.unsafe(`alter table video_entries add constraint "${name}" ${definition}`)
  }
}
