/** Lists of videos and channels: how many rows they read, for a person with 200 channels and 4,000 videos among others. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Library, libraryOf } from '../../../src/db/library.ts'
import type { Sql } from '../../../src/db/postgres/client.ts'
import { keepSummaries } from '../../../src/db/rows/channel-summaries.ts'
import { useDatabase } from '../../support/app/database.ts'
import { type Person, person } from '../../support/app/people.ts'

const { sql } = useDatabase()

let alice: Person

beforeAll(async () => {
  alice = await person(sql, 'alice')
  await fill(alice, 200, 20)
  for (const name of ['bob', 'carol', 'dave']) await fill(await person(sql, name), 200, 20)
  // Of so many channels, the planner does not read all.
  for (const n of Array(16).keys()) await fill(await person(sql, `other-${n}`), 200, 0)
  await sql`analyze channels, video_entries, viewings, users`
})

async function fill({ user: { user_id } }: Person, channels: number, videos_of_each: number) {
  await sql`
    insert into channels (user_id, channel_id, title, rss_url)
    select ${user_id}, 'c' || n, 'Channel ' || n, 'https://videos.example/' || n
    from   generate_series(1, ${channels}::int) n`
  await sql`
    insert into video_entries (user_id, channel_id, video_id, video_url, title, description, published_at)
    select ${user_id}, 'c' || 1 + n % ${channels}::int, 'v' || n, 'https://videos.example/v' || n, 'Video ' || n, 'About it',
           now() - n * interval '1 minute'
    from   generate_series(1, ${channels * videos_of_each}::int) n`
  await sql`
    insert into viewings (user_id, video_id, seen_at)
    select ${user_id}, 'v' || n, now()
    from   generate_series(1, 4000) n
    where  n % 4 = 0`
}

type Read = { by_index: number; by_scan: number }

/** The rows that `work` reads from the tables: by an index, and by scanning a table. */
async function rowsRead(plans: string, work: (library: Library) => Promise<unknown>): Promise<Read> {
  const [before, after] = await sql.begin(async tx => {
    await tx`select set_config('plan_cache_mode', ${plans}, true)`
    // They count from an earlier time on.
    const soFar = () => tx<Read[]>`
      select sum(coalesce(idx_tup_fetch, 0))::int as by_index, sum(seq_tup_read)::int as by_scan
      from   pg_stat_xact_user_tables
      where  relname in ('channels', 'video_entries', 'viewings')`
    // Only a page after a change counts again.
    await keepSummaries(tx, alice.user.user_id)
    const start = await soFar()
    await work(libraryOf(tx as unknown as Sql, alice.user.user_id))
    return [start[0], (await soFar())[0]]
  })
  if (!before || !after) throw new Error('Postgres counts nothing')
  return { by_index: after.by_index - before.by_index, by_scan: after.by_scan - before.by_scan }
}

const lists: [claim: string, most_rows: number, work: (library: Library) => Promise<unknown>][] = [
  // Of each video: its row, the row of its channel, its other rows (to show it once) and its viewing.
  ['the newest 40 of all channels', 41 * 4, library => library.videos.list({ limit: 40 })],
  ['the newest 24 for a page', 25 * 4, library => library.videos.listed({ limit: 24 })],
  [
    'the first of all, and the next 40',
    (11 + 41) * 4,
    async library => {
      const { next_cursor } = await library.videos.list({ limit: 1 })
      await library.videos.list({ limit: 40, cursor: next_cursor ?? '' })
    },
  ],
  ['the history of a channel', 20 * 2 + 1, library => library.videos.list({ channel_id: 'c7', limit: 50 })],
  ['the counts of a channel', 1, library => library.videos.counts({ channel_id: 'c7' })],
  ['one channel', 1, library => library.channels.find('c7')],
  ['all channels, with the number of their videos', 200, library => library.channels.list()],
  [
    'a page of channels',
    2 * 200,
    library => library.channels.page({ q: '', order: 'title', followed: true, offset: 50, limit: 101 }),
  ],
  ['the column of groups and channels', 40, library => library.groups.column()],
  ['how many channels there are', 200, library => library.channels.tally()],
  ['the unfinished videos', 0, library => library.viewings.unfinished({ limit: 6 })],
]

describe.each(['force_custom_plan', 'force_generic_plan'])('%s', plans => {
  it.each(lists)('reads no more than it needs: %s', async (_, most_rows, work) => {
    const { by_index, by_scan } = await rowsRead(plans, work)
    expect({ by_index: Math.min(by_index, most_rows), by_scan }).toEqual({ by_index, by_scan: 0 })
  })
})

it('the number of channels does not change how many rows the newest videos read', async () => {
  const before = await rowsRead('auto', library => library.videos.listed({ limit: 24 }))
  await fill(await person(sql, 'heidi'), 400, 5)
  expect(await rowsRead('auto', library => library.videos.listed({ limit: 24 }))).toEqual(before)
})

it('a list for pages has the same videos in the same order, without descriptions', async () => {
  const { entries } = await alice.library.videos.list({ limit: 30 })
  const listed = await alice.library.videos.listed({ limit: 30 })

  expect(entries[0]).toHaveProperty('description', 'About it')
  expect(listed.entries).toEqual(entries.map(({ description: _, ...rest }) => rest))
})

it('Postgres plans the newest videos once for each connection, not for each request', async () => {
  const plans = await sql.begin(async tx => {
    const library = libraryOf(tx as unknown as Sql, alice.user.user_id)
    for (let request = 0; request < 12; request++) await library.videos.listed({ limit: 24 })
    return tx<{ generic_plans: number }[]>`
      select generic_plans
      from   pg_prepared_statements
      where  statement like '%video_entries entry%' and custom_plans + generic_plans >= 12`
  })
  expect(plans).toHaveLength(1)
  expect(plans[0]?.generic_plans).toBeGreaterThan(5)
})
