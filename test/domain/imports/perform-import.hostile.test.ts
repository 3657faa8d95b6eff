/** Values that Postgres refuses, sent through every step of an import: none of them reaches a statement as it is. */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { beginImport, getImport } from '../../../src/domain/imports/imports.ts'
import { performImport } from '../../../src/domain/imports/perform-import.ts'
import { DomainError } from '../../../src/errors.ts'
import { qualities } from '../../../src/schema/downloads/quality.ts'
import { archive_format } from '../../../src/schema/imports/archive.ts'
import { useDatabase } from '../../support/app/database.ts'
import { person } from '../../support/app/people.ts'
import { holds } from '../../support/run/holds.ts'

const { sql } = useDatabase()

const piece = fc.constantFrom(
  '\0',
  '\ud800',
  '\udc00',
  '\\',
  '"',
  '{}',
  'a',
  ' ',
  '\u00ad',
  '\u{10ffff}',
  '\u202e',
  'é',
  '\n',
)
const text = fc.oneof(
  { weight: 4, arbitrary: fc.array(piece, { maxLength: 8 }).map(pieces => pieces.join('')) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(piece, fc.constantFrom(199, 200, 201, 500, 501, 2048, 50_001))
      .map(([one, count]) => one.repeat(count)),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 500, maxLength: 1000 }) },
)
const number = fc.oneof(
  fc.constantFrom(-1, -0, 0.5, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 53, 1e21, 1e300, 604_800, 604_801),
  fc.double({ noNaN: true }),
)
const time = fc.oneof(
  fc.constantFrom(
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '9998-12-31T23:59:59.999999999-14:00',
    '2026-02-30T00:00:00Z',
    '2024-02-29T24:00:00Z',
    '2026-01-01T23:59:60Z',
    '2026-01-01T00:00:00.123456789Z',
    '2026-01-01T00:00:00+14:59',
    '2026-01-01T00:00Z',
    '2026-01-01T00:00:00',
    '-4713-01-01T00:00:00Z',
    'infinity',
    'now',
  ),
  fc.date().map(date => (Number.isNaN(date.getTime()) ? '' : date.toISOString())),
)
const url = fc.oneof(
  text.map(path => `https://videos.example/${path}`),
  text.map(host => `http://${host}/`),
  fc.webUrl(),
  fc.string({ unit: 'binary', minLength: 1900, maxLength: 2020 }).map(path => `https://videos.example/${path}`),
)
const any = fc.oneof(
  text,
  number,
  time,
  url,
  fc.constant(null),
  fc.boolean(),
  fc.json().map(json => JSON.parse(json)),
)
const id = fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.string({ minLength: 1, maxLength: 200 }), text)

/** Few files with many items: a file costs more than an item. */
const many = { minLength: 8, maxLength: 20, size: 'max' } as const

/** Each field is one that fits, mostly, or any value. */
const mostly = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(
    Object.fromEntries(
      Object.entries(fields).map(([name, good]) => [
        name,
        fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: any }),
      ]),
    ),
    { requiredKeys: [] },
  )

/** With one or two of these fields: most items would be left out for one of many that does not fit. */
const on = (base: object, more: fc.Arbitrary<object>) =>
  fc.tuple(more, fc.nat(), fc.nat()).map(([fields, ...chosen]) => {
    const all = Object.entries(fields)
    const some = chosen.map(n => all[n % all.length]).filter(field => field !== undefined)
    return { ...base, ...Object.fromEntries(some) }
  })

const words = fc.array(text, { maxLength: 3 })
const rule = mostly({
  auto_download: fc.boolean(),
  title_words: words,
  without_words: words,
  title_pattern: fc.option(text),
  skip_shorts: fc.boolean(),
  min_seconds: fc.option(number),
  max_seconds: fc.option(number),
  live: fc.constantFrom('any', 'only', 'none'),
  also_days: fc.option(number),
  include_older: fc.boolean(),
  most_per_day: fc.option(number),
  keep_newest: fc.option(number),
  keep_days: fc.option(number),
  delete_watched_days: fc.option(number),
  keep_newest_watched: fc.option(number),
})
const channel = mostly({
  channel_id: id,
  title: text,
  rss_url: url,
  page_url: fc.option(url),
  image_url: fc.option(url),
  quality: fc.option(fc.constantFrom(...qualities)),
  followed_at: time,
  rule: fc.option(on({}, rule)),
})
const video = mostly({
  channel_id: fc.constantFrom('a', 'b', 'c'),
  video_id: id,
  video_url: url,
  title: text,
  description: fc.option(text),
  thumbnail_url: fc.option(url),
  published_at: fc.option(time),
  published_precision: fc.constantFrom('exact', 'day', 'approximate', null),
  sort_at: time,
  first_seen_at: time,
  source: fc.constantFrom('feed', 'listing', 'added', null),
  duration_seconds: fc.option(number),
  live_status: fc.constantFrom('none', 'upcoming', 'live', 'was_live', null),
  availability: fc.constantFrom('public', 'unlisted', null),
  guid: fc.option(text),
  moved_id: fc.option(text),
  pinned: fc.boolean(),
  requested_by: fc.constantFrom('person', 'rule', null),
  downloaded: fc.boolean(),
})
const viewing = mostly({
  video_id: id,
  seen_at: fc.option(time),
  position_seconds: fc.option(number),
  duration_seconds: fc.option(number),
  watched_at: fc.option(time),
  dismissed_at: fc.option(time),
  forgotten_at: fc.option(time),
})
const playlist = mostly({ name: text, video_ids: fc.array(fc.oneof(id, any), { maxLength: 5 }) })
const fitting = {
  channel: { channel_id: 'a', title: 'A', rss_url: 'https://videos.example/a', followed_at: '2026-01-01T00:00:00Z' },
  video: {
    channel_id: 'a',
    video_url: 'https://videos.example/a',
    title: 'A',
    first_seen_at: '2026-01-01T00:00:00Z',
  },
}
/** Each is another video, unless its identifier is the hostile field. */
const videos = fc.tuple(fc.uuid(), on(fitting.video, video)).map(([video_id, fields]) => ({ video_id, ...fields }))

const archive = fc.record({
  format: fc.constant(archive_format),
  version: fc.constant(1),
  settings: mostly({ quality: fc.constantFrom(...qualities), default_rule: fc.option(on({}, rule)) }),
  channels: fc.array(on(fitting.channel, channel), { minLength: 4, maxLength: 8, size: 'max' }),
  videos: fc.array(videos, many),
  playlists: fc.array(playlist, many),
  viewings: fc.array(viewing, many),
})

const eleven = fc.oneof(fc.constantFrom('dQw4w9WgXcQ', 'aaaaaaaaaa1'), fc.string({ minLength: 11, maxLength: 11 }))
const takeout = fc.array(
  mostly({
    header: fc.constant('YouTube'),
    title: text,
    titleUrl: eleven.map(video_id => `https://www.youtube.com/watch?v=${video_id}`),
    time,
  }),
  many,
)
const freetube = fc.array(
  mostly({ videoId: eleven, timeWatched: number, watchProgress: number, lengthSeconds: number, title: text }),
  many,
)
const outlines = fc.record({
  subscriptions: fc.array(mostly({ url, name: text, service_id: fc.constant(0) }), many),
})

/** The errors of the database, and whether the import ended. Undefined: the file was refused with a sentence. */
async function importInto(document: unknown) {
  const { library } = await person(sql, 'alice')
  const refusals: unknown[] = []
  const findFeed = async () => {
    throw new DomainError('feed_failed', 'There is no network here.')
  }
  const begun = await beginImport(library, Buffer.from(JSON.stringify(document)), { downloads: true }).catch(fault => {
    if (!(fault instanceof DomainError)) throw fault
    return undefined
  })
  if (!begun) return undefined
  const onFault = (fault: unknown) => refusals.push(fault)
  const deps = { library, findFeed, stopping: new AbortController().signal, onFault }
  while ((await performImport(deps, begun.import_id)) === 'more');
  const { content, finished_at } = await getImport(library, begun.import_id)
  return { refusals, failed: content?.failed ?? 0, is_finished: finished_at !== null }
}

async function countStored(): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select (select count(*) from video_entries) + (select count(*) from viewings) + (select count(*) from import_lines) as count`
  return row?.count ?? 0
}

for (const [what, documents] of Object.entries({ archive, takeout, freetube, outlines }))
  it(`no value in a file of the kind ${what} is refused by the database`, async () => {
    const before = await countStored()
    await holds(
      fc.asyncProperty(documents, async document => {
        const outcome = await importInto(document)
        if (outcome) expect(outcome).toEqual({ refusals: [], failed: 0, is_finished: true })
      }),
      { runs: 8, shrinks: false },
    )
    // Otherwise nothing hostile has come as far as a statement.
    expect((await countStored()) - before).toBeGreaterThan(0)
  })
