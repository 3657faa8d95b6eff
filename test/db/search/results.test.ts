/** Which rows a search gives, page by page, compared with a plain reference; and how much of the database it reads for them. */
import fc from 'fast-check'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { searchOf } from '../../../src/db/search/search.ts'
import type { SearchSort } from '../../../src/schema/search/saved-search.ts'
import type { SearchFilter } from '../../../src/schema/search/search-filters.ts'
import type { UserId } from '../../../src/schema/values/user.ts'
import { useDatabase } from '../../support/app/database.ts'
import { entry, type Person, person } from '../../support/app/people.ts'
import { holds } from '../../support/run/holds.ts'

const db = useDatabase()

const words = ['bread', 'brèad', 'Bre\u0301ad', 'break', 'cake', 'knife', 'oven', '料理', '料', '理料理']
const text = fc.array(fc.constantFrom(...words), { maxLength: 4 }).map(some => some.join(' '))
const video = fc.record({
  id: fc.integer({ min: 0, max: 11 }),
  title: text,
  description: fc.option(text),
  day: fc.integer({ min: 1, max: 5 }),
})
type Video = typeof video extends fc.Arbitrary<infer T> ? T : never
const channel = fc.uniqueArray(video, { selector: ({ id }) => id, maxLength: 12 })
const asked = fc.record({
  q: fc.constantFrom(
    'bread',
    'brea',
    'brèad',
    'bréad cake',
    'brèad or bréad',
    'cake',
    'bread cake',
    'oven bread',
    '"bread cake"',
    'bread -cake',
    '-oven',
    'cake or oven',
    '料理',
    '理',
    '料理料',
    '理料理 bread',
    'bread -理料',
    '料 -cake',
    '-料理',
  ),
  sort: fc.constantFrom<SearchSort>('relevance', 'newest'),
  // All of these keep the videos that are always there.
  filters: fc.subarray<SearchFilter>([
    { key: 'channel', name: 'c0', is_excluded: true },
    { key: 'before', at: new Date(Date.UTC(2026, 0, 4)), is_excluded: false },
    { key: 'after', at: new Date(Date.UTC(2026, 0, 2)), is_excluded: false },
    { key: 'is', state: 'on_disk', is_excluded: true },
  ]),
  limit: fc.integer({ min: 1, max: 5 }),
  max_walked: fc.constantFrom(0, 1, 3, 500),
  max_fitting: fc.constantFrom(0, 3, 500),
  max_newest: fc.constantFrom(0, 1, 100),
  max_rare: fc.constantFrom(0, 2, 200),
})

describe('what a search reads', () => {
  // The channels of other tests would be read, too.
  const large = useDatabase()
  const asked: [query: string, parameters: never[]][] = []
  const sql = postgres(large.url, {
    max: 1,
    types: { int8: { to: 20, from: [20], parse: Number, serialize: String } },
    onnotice: () => {},
    connection: { TimeZone: 'UTC' },
    debug: (_, query, parameters) => asked.push([query, parameters as never[]]),
  })
  let alice: Person

  beforeAll(async () => {
    alice = await person(large.sql, 'alice')
    const bob = await person(large.sql, 'bob')
    for (const { library } of [alice, bob])
      await library.channels.save({ channel_id: 'c', title: 'c', rss_url: 'https://videos.example/c' }, [])
    await large.sql`
      insert into video_entries (user_id, channel_id, video_id, video_url, title, description, published_at)
      select who, 'c', 'v' || n, 'https://videos.example/' || n, 'Video ' || n,
             case
               when who = ${bob.user.user_id} then 'common foreign'
               else concat_ws(' ', 'common',
                 case n % 2 when 0 then 'left' else 'right' end,
                 case when n % 40 = 0 then 'middle' end,
                 case when n in (1, 20000) then 'rare' end,
                 case when n in (1, 20000) then '番組' end,
                 '料理',
                 case n when 1 then 'foreign' end)
             end,
             timestamptz '2020-01-01' + n * interval '1 minute'
      from   unnest(${[alice.user.user_id, bob.user.user_id]}::uuid[]) who,
             -- Bob has more than any of these searches may read.
             generate_series(1, case when who = ${alice.user.user_id} then 50000 else 31000 end) n`
    await large.sql`
      insert into viewings (user_id, video_id, later_at)
      select ${alice.user.user_id}, 'v' || n, now() from generate_series(1, 10) n`
    await large.sql`vacuum analyze video_entries, viewings`
  })
  afterAll(() => sql.end())

  const few = 6000
  /** A search that finds nothing by words also reads titles and descriptions by letters. */
  const by_letters = 33_000
  it.each([
    ['in every video', 'common', 24, few],
    ['in one of forty videos', 'middle', 24, few],
    ['in two videos', 'rare', 2, 2000],
    ['in one video, and in all of another person', 'foreign', 1, 2000],
    ['both in every video', 'common video', 24, few],
    ['common and rare', 'common rare', 2, 2000],
    ['incomplete', 'co', 24, few],
    ['excluded, and common', '-left', 24, few],
    ['excluded, and in every video', '-common', 0, by_letters],
    ['common, and never in the same video', 'left right', 0, by_letters],
    ['a phrase in half of all videos', '"common left"', 24, few],
    ['a phrase of one that is common and one that is not', '"left middle"', 24, few],
    ['without spaces, and in every video', '料理', 24, few],
    ['without spaces, and in two videos', '番組', 2, few],
    ['without spaces, and nowhere', '組料', 0, by_letters],
    ['nowhere', 'nowhere', 0, by_letters],
  ])('a search for words that are %s does not read all 50,000 videos', async (_, q, hits, most) => {
    const { rows, found } = await cost(q)
    expect(found).toBe(hits)
    expect(rows).toBeLessThan(most)
  })

  it.each([
    ['all of them have', 'common', 10],
    ['none of them has', 'nowhere', 0],
    ['only some of their words have', '料', 10],
  ])('with a filter that fits ten of 50,000 videos, all are read only once for a word that %s', async (_, q, hits) => {
    const { rows, found } = await cost(q, [{ key: 'is', state: 'later', is_excluded: false }])
    expect(found).toBe(hits)
    expect(rows).toBeLessThan(52_000)
  })

  /** Sums up the rows that the plans of all queries of a search read from the table. */
  async function cost(q: string, filters: SearchFilter[] = []) {
    asked.length = 0
    const search = searchOf(sql as never, alice.user.user_id)
    const { entries } = await search.videos({ q, filters, limit: 24 })
    return { found: entries.length, rows: await rowsOfAsked('off') }
  }

  it.each([
    ['no video has', 'nowhere', 'https://nowhere.example/', 1],
    ['is that of one video', 'v7', 'https://videos.example/v7', 50],
  ])('a pasted address that %s reads few of all 50,000 videos', async (_, id, url, most) => {
    asked.length = 0
    await searchOf(sql as never, alice.user.user_id).videoNamed({ ids: [id], urls: [url] })
    expect(await rowsOfAsked('on')).toBeLessThanOrEqual(most)
  })

  /** The rows that the plans of all queries read that were asked. */
  async function rowsOfAsked(enable_seqscan: 'on' | 'off') {
    const plans = await sql.begin(async tx => {
      await tx`select set_config('enable_seqscan', ${enable_seqscan}, true)`
      const queries = asked.filter(([query]) => query.includes('video_entries'))
      return Promise.all(
        queries.map(([query, parameters]) => tx.unsafe(`explain (analyze, format json) ${query}`, parameters)),
      )
    })
    return sum(plans.flat().map(row => rowsRead(row['QUERY PLAN'][0].Plan)))
  }
})

type Plan = { 'Node Type': string; Plans?: Plan[] } & Record<string, number>

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)

/** The rows and index entries that the scans below a node read, with those that a filter removed. */
function rowsRead(plan: Plan): number {
  const below = sum((plan.Plans ?? []).map(rowsRead))
  if (!/^(Seq|Index|Index Only|Bitmap Heap|Bitmap Index) Scan$/.test(plan['Node Type'])) return below
  const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
  return below + ((plan['Actual Rows'] ?? 0) + removed) * (plan['Actual Loops'] ?? 0)
}

describe('the results of a search', () => {
  it('all pages together are all matches within the limits: by relevance titles first, of these the typed letters, the newest first, each video once, however they are read', async () => {
    await holds(
      fc.asyncProperty(
        fc.array(channel, { minLength: 1, maxLength: 3 }),
        fc.array(asked, { minLength: 4, maxLength: 4 }),
        async (channels, searches) => {
          const [alice, bob] = await Promise.all([person(db.sql, 'alice'), person(db.sql, 'bob')])
          for (const [at, videos] of channels.entries()) await save(alice, `c${at}`, videos)
          await save(bob, 'c0', [{ id: 1, title: words.join(' '), description: null, day: 6 }])

          // Each query finds one of these by its words: without any, a search is by letters.
          await save(alice, 'always', [
            always('bread cake'),
            always('oven with bread'),
            always('理料理料理 with bread'),
          ])

          for (const { q, sort, filters, limit, ...reading } of searches) {
            const found = await allPages(alice, { q, sort, filters, limit }, reading)

            expect(found).toEqual(await reference(alice.user.user_id, { q, sort, filters }))
          }
        },
      ),
      { runs: 16 },
    )
  })

  it('of a video in two channels, the title in the typed letters counts, though the other is newer', async () => {
    const alice = await person(db.sql, 'alice')
    await save(alice, 'exact', [{ id: 1, title: 'cake', description: null, day: 1 }])
    await save(alice, 'folded', [
      { id: 1, title: 'çake', description: null, day: 3 },
      { id: 2, title: 'càke', description: null, day: 2 },
    ])

    const pages = [5, 1].map(limit => allPages(alice, { q: 'cake', limit }))

    expect(await Promise.all(pages)).toEqual([
      ['v1: cake', 'v2: càke'],
      ['v1: cake', 'v2: càke'],
    ])
  })

  it.each(['料理 or bread', 'bread or 料理', 'bread OR 料理', 'bread or 料理 or with'])(
    'the search %s finds the video that has both words, without the word "or"',
    async q => {
      const alice = await person(db.sql, 'alice')
      await save(alice, 'both', [always('料理 with bread'), always('料理 with rice and cake')])

      expect(await allPages(alice, { q, limit: 5 })).toEqual([expect.stringContaining('料理 with bread')])
    },
  )

  it('a word in quotes that is "or" must be in the text next to a word of a script without spaces', async () => {
    const alice = await person(db.sql, 'alice')
    await save(alice, 'both', [always('料理 with bread'), always('料理 or else bread')])

    expect(await allPages(alice, { q: '料理 "or" bread', limit: 5 })).toEqual([expect.stringContaining('or else')])
  })
})

const always = (title: string): Video => ({ id: 100 + title.length, title, description: null, day: 3 })

async function save({ library }: Person, channel_id: string, videos: Video[]) {
  const entries = videos.map(({ id, title, description, day }) =>
    entry(`v${id}`, { title: title || 'x', description, published_at: new Date(Date.UTC(2026, 0, day)) }),
  )
  const rss_url = `https://videos.example/${channel_id}`
  await library.channels.save({ channel_id, title: channel_id, rss_url }, entries)
}

type Reading = Record<'max_walked' | 'max_fitting' | 'max_newest' | 'max_rare', number>
type Asked = { q: string; sort?: SearchSort; filters?: SearchFilter[]; limit: number }

async function allPages({ user }: Person, asked: Asked, reading?: Reading) {
  const search = searchOf(db.sql, user.user_id, reading)
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await search.videos({ ...asked, cursor })
    found.push(...page.entries.map(({ video_id, title }) => `${video_id}: ${title}`))
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  return found
}

/** Reads every row of the person, without an index, and picks the best row of each video. */
async function reference(user_id: UserId, { q, sort, filters }: Omit<Required<Asked>, 'limit'>): Promise<string[]> {
  const rows = await db.sql<
    { id: number; channel_id: string; video_id: string; title: string; text: string; sort_at: Date }[]
  >`
    select id, channel_id, video_id, title, concat_ws(' ', title, description) as text, sort_at
    from   video_entries
    where  user_id = ${user_id}`
  const ranked = rows
    .filter(row => matches(row.text, q) && filters.every(filter => fits(row, filter)))
    .map(row => ({ ...row, rank: sort === 'relevance' ? rankOf(row.title, q) : 0 }))
    .toSorted((a, b) => b.rank - a.rank || Number(b.sort_at) - Number(a.sort_at) || b.id - a.id)
  const best = new Map<string, string>()
  for (const { video_id, title } of ranked) if (!best.has(video_id)) best.set(video_id, `${video_id}: ${title}`)
  return [...best.values()]
}

function fits({ channel_id, sort_at }: { channel_id: string; sort_at: Date }, filter: SearchFilter): boolean {
  if (filter.key === 'channel') return channel_id !== filter.name
  if (filter.key === 'before') return sort_at < filter.at
  return filter.key === 'after' ? sort_at >= filter.at : true
}

/** 2: the title has the typed letters; 1: it matches; 0: it does not. */
function rankOf(title: string, q: string): 0 | 1 | 2 {
  if (!matches(title, q)) return 0
  const has = (word: string) => title.normalize().toLowerCase().includes(word)
  const wanted = q.split(/[ "]/).filter(word => word !== '' && word !== 'or' && !word.startsWith('-'))
  return (q.includes(' or ') ? wanted.some(has) : wanted.every(has)) ? 2 : 1
}

function matches(given: string, typed: string): boolean {
  const [text, q] = [given, typed].map(one =>
    one
      .normalize('NFD')
      .replace(/[\u0300-\u036f]/g, '')
      .toLowerCase(),
  ) as [string, string]
  const has = (word: string) =>
    text.split(' ').some(one => (/^\w+$/.test(word) ? one.startsWith(word) : one.includes(word)))
  if (q === '"bread cake"') return text.includes('bread cake')
  if (q.includes(' or ')) return q.split(' or ').some(has)
  return q.split(' ').every(word => (word.startsWith('-') ? !has(word.slice(1)) : has(word)))
}
