/**
 * Searches what is said in 1,000 hours of one person, next to the 1,000 hours of two others, and measures what the transcripts take on
 * disk and how long one takes to be indexed. Most words are made up, as frequent as those of a language; some sentences are real ones.
 */
import { libraryOf } from '../../../src/db/library.ts'
import type { Sql } from '../../../src/db/postgres/client.ts'
import type { TranscriptLine } from '../../../src/schema/sources/subtitles.ts'
import { UserId } from '../../../src/schema/values/user.ts'
import type { Bench } from '../run/bench.ts'
import { addPeople, fillLibraries, type Person, wordOf } from '../run/seed.ts'
import { openSide } from '../run/side.ts'

const lines_an_hour = 1125
const words_a_line = 8
const vocabulary = 20_000

const sentences = [
  'let me know in the comments what you think about this',
  'and that is exactly why you want to let it rest over night',
  'so the first thing we are going to do is take it apart',
  'if you want to support the channel there is a link below',
  'nobody told me that it would be this loud in here',
]
/** Said once, in the oldest video. Each of its words is said elsewhere. */
const spoken = 'exactly this loud link is going to rest in the comments'

const searches = [
  { what: 'a spoken sentence, said once', q: spoken },
  { what: 'the same as a phrase', q: `"${spoken}"` },
  { what: 'a sentence said in every video', q: sentences[1] ?? '' },
  { what: 'a rare word', q: wordOf(19_000) },
  { what: 'a word said once an hour', q: wordOf(900) },
  { what: 'a word of every moment', q: wordOf(1) },
  { what: 'three common words', q: [2, 3, 5].map(wordOf).join(' ') },
  { what: 'three words that are rarely together', q: [60, 90, 130].map(wordOf).join(' ') },
  { what: 'the beginning of a rare word', q: wordOf(19_000).slice(0, 4) },
  { what: 'a word that is never said', q: 'quincunx' },
  { what: 'a word of every moment, in one channel', q: `${wordOf(1)} channel:"Channel 3"` },
  { what: 'a rare word, unwatched, with the newest first', q: `${wordOf(19_000)} is:unwatched`, sort: 'newest' },
  { what: 'three common words that few videos fit', q: `${[2, 3, 5].map(wordOf).join(' ')} is:later` },
]

export async function words({ checkouts: { now }, databases, folder, quick }: Bench): Promise<object[]> {
  const side = await openSide('now', now, databases, folder)
  const { sql } = side.database
  const hours = quick ? 20 : 1000
  const [alice, ...others] = await addPeople(sql, 3)
  if (!alice) throw new Error('no people')
  await fillLibraries(sql, [alice, ...others], { channels: 10, entries_each: hours / 10 })
  const index_ms = await speak(sql, alice, hours)
  for (const other of others) await copySpeech(sql, alice, other)
  await sql`
    insert into viewings (user_id, video_id, later_at)
    select ${alice.user_id}, 'c2v' || v, now() from generate_series(1, 10) as v`
  await sql`vacuum analyze transcripts, moments, viewings`
  const kB = (bytes: number) => `${(bytes / 3 / hours / 1000).toFixed(0)} kB`
  const [size] = await sql<{ lines: number; moments: number; search: number; keys: number }[]>`
    select pg_total_relation_size('transcripts')::float8 as lines, pg_table_size('moments')::float8 as moments,
           pg_relation_size('moments_search_idx')::float8 as search, pg_relation_size('moments_pkey')::float8 as keys`
  const web = await side.start('web')
  const found: object[] = []
  for (const { what, q, sort = 'relevance' } of searches) {
    const path = `/api/search?${new URLSearchParams({ q, sort })}`
    const answer = (await (await fetch(web.url + path, { headers: alice.headers })).json()) as { entries: unknown[] }
    const {
      value,
      app_ms = 0,
      database_ms = 0,
    } = await side.oneByOne(web, {
      amount: 9,
      requests: [{ path, headers: alice.headers }],
    })
    const cpu = `${app_ms.toFixed(0)} + ${database_ms.toFixed(0)} ms CPU`
    found.push({ what, figure: `${value.toFixed(1)} ms`, more: `${cpu}, ${answer.entries.length} on the first page` })
  }
  return [
    { what: 'an hour on disk: lines', figure: kB(size?.lines ?? 0) },
    { what: 'an hour on disk: words of moments', figure: kB(size?.moments ?? 0) },
    { what: 'an hour on disk: index for searches', figure: kB(size?.search ?? 0) },
    { what: 'an hour on disk: keys of moments', figure: kB(size?.keys ?? 0) },
    { what: 'an hour is indexed in', figure: `${index_ms.toFixed(0)} ms` },
    ...found,
  ]
}

/** Saves the transcripts as the service does, and returns the milliseconds of one. */
async function speak(sql: Sql, { user_id }: Person, hours: number): Promise<number> {
  const { transcripts } = libraryOf(sql, UserId.parse(user_id))
  const videos = await sql<{ video_id: string }[]>`
    select video_id from video_entries where user_id = ${user_id} order by sort_at`
  const random = randomFrom(1)
  let took = 0
  for (const [at, { video_id }] of videos.slice(0, hours).entries()) {
    const lines = Array.from({ length: lines_an_hour }, (_, nth) => lineOf(nth, random))
    if (at === 0) lines[700] = { start_seconds: 2240, text: spoken }
    const began = performance.now()
    await transcripts.save(video_id, { language: 'en', automatic: true, lines })
    took += performance.now() - began
  }
  return took / hours
}

const lineOf = (nth: number, random: () => number): TranscriptLine => ({
  start_seconds: Math.floor((nth * 3600) / lines_an_hour),
  text:
    nth % 40 === 0
      ? (sentences[Math.floor(random() * sentences.length)] ?? '')
      : Array.from({ length: words_a_line }, () => wordOf(Math.floor(Math.exp(random() * Math.log(vocabulary))))).join(
          ' ',
        ),
})

/** Others have said the same, in the same videos: what one person finds is unlike it only by its owner. */
async function copySpeech(sql: Sql, from: Person, to: Person): Promise<void> {
  await sql`
    insert into transcripts
    select ${to.user_id}, video_id, language, is_automatic, lines from transcripts where user_id = ${from.user_id}`
  await sql`
    insert into moments
    select ${to.user_id}, video_id, start_seconds, words from moments where user_id = ${from.user_id}`
}

/** The same numbers in every run. Source: mulberry32, public domain. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
