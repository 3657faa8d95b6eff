/**
 * Turns a search into conditions on rows: by words, which are indexed; or by letters, where words find nothing. `results.ts` decides
 * in which order the rows are read.
 *
 * Search uses Postgres' `simple` configuration, because videos are in every language; the last word may be incomplete. Scripts
 * without spaces are indexed by pairs of letters. Words that match nothing are searched by letters: in the titles of the newest
 * 10,000 videos, and in the descriptions of the newest 2,000.
 */
import type { UserId } from '../../schema/values/user.ts'
import type { Piece, Queryable, Sql } from '../postgres/client.ts'
import { exactly, has, hasLoosely, hasNone, texts } from './letter-conditions.ts'
import { excludedIn, foldedSearch, hasOr, phraseQuery, piecesIn, queryOf, wantedIn } from './search-text.ts'
import { searching } from './searching.ts'

/** Conditions about the row that `row` names. `inTitle`: it matches, and its title alone would. */
type Conditions = { match(row: Piece): Piece; inTitle(row: Piece): Piece }

export type Words = Conditions & {
  by: 'words' | 'letters'
  /** Whether a title that matches has the words in the letters that were typed, in upper or lower case. */
  isExact(row: Piece): Piece
  /** Conditions that the index answers. The rows that match are among those found. `undefined`: the index does not help. */
  indexed?: Conditions
  /**
   * Conditions for what is said: on rows of `moments`, which the index answers, and on the entries of their videos. `query`: the tsquery,
   * for ranks. `undefined`: nothing that is said can match.
   */
  said?: { match(row: Piece): Piece; allows(entry: Piece): Piece; query: string }
  /** A tsquery to highlight words by; `undefined`: the `pieces` are highlighted. */
  marked_by?: string
  /** How many of the newest videos are read for matches in the title, and for the others, if the index does not help; null: all. */
  reach: { title: number | null; elsewhere: number }
  /** The texts that must occur; none: no word was typed. */
  pieces: string[]
}

/** All videos, by their titles: for a search that has only limits. */
export const everything = (sql: Queryable): Words => ({
  by: 'words',
  isExact: () => sql`true`,
  match: () => sql`true`,
  inTitle: () => sql`true`,
  reach: { title: null, elsewhere: 0 },
  pieces: [],
})

/** `undefined`: none of its words is indexed. */
export async function byWords(sql: Queryable, q: string): Promise<Words | undefined> {
  const typed = foldedSearch(q)
  const spaced = queryOf(typed, isUnspaced)
  const [parsed] =
    spaced === ''
      ? []
      : await sql<{ query: string; has_wanted: boolean }[]>`
          select query::text, querytree(query) not in ('', 'T') as has_wanted
          from   to_tsquery('simple', ${spaced}) as query`
  const unspaced = wantedIn(typed).filter(isUnspaced)
  const excluded = excludedIn(typed).filter(isUnspaced)
  const parts = [parsed?.query ?? '', ...unspaced.map(pairsOf)].filter(part => part !== '')
  if (parts.length + excluded.length === 0) return undefined
  const query = parts.map(part => `(${part})`).join(' & ')
  const has_or = hasOr(typed)
  const indexed = indexedBy(sql, query)
  return {
    by: 'words',
    isExact: exactly(sql, q, has_or),
    ...checked(
      sql,
      indexed,
      unspaced.filter(piece => !isOnePair(piece)),
      excluded,
    ),
    ...((parsed?.has_wanted || unspaced.length > 0) && {
      indexed,
      said: saidBy(sql, { query, pieces: unspaced.filter(piece => !isOnePair(piece)), excluded: excludedIn(typed) }),
    }),
    ...(!isUnspaced(typed) && { marked_by: query }),
    reach: { title: max_videos_read, elsewhere: has_or ? max_videos_read : 0 },
    pieces: piecesIn(typed),
  }
}

/**
 * No index finds the videos without a word. Reading these takes about 15 ms. Only a search with `or` can match elsewhere: an excluded
 * word must not be in the title either.
 */
const max_videos_read = 10_000

const indexedBy = (sql: Queryable, query: string): Conditions => {
  const match = (row: Piece) => (query === '' ? sql`true` : sql`${row}.words @@ ${query}::tsquery`)
  return {
    match,
    // An excluded word must not be in the description either.
    inTitle: row =>
      query === ''
        ? sql`true`
        : sql`ts_filter(${row}.words, '{a}') @@ ${query}::tsquery and ${query.includes('!') ? match(row) : sql`true`}`,
  }
}

/**
 * An excluded word must not be in the title or the description either. A text in a script without spaces must be in the transcript; the
 * moments do not have its lines.
 */
const saidBy = (
  sql: Queryable,
  { query, pieces, excluded }: Record<'pieces' | 'excluded', string[]> & { query: string },
): NonNullable<Words['said']> => ({
  query,
  match: row => sql`${row}.words @@ ${query}::tsquery`,
  allows: entry =>
    excluded.reduce(
      (all, piece) =>
        isUnspaced(piece)
          ? sql`${all} and ${hasNone(sql, entry, [piece])}`
          : sql`${all} and not ${entry}.words @@ to_tsquery('simple', ${phraseQuery(piece)})`,
      pieces.length === 0
        ? sql`true`
        : sql`exists (
            select from transcripts
            where  transcripts.user_id = ${entry}.user_id and transcripts.video_id = ${entry}.video_id
            and    ${has(sql, sql`transcripts.lines`, pieces)})`,
    ),
})

/** Adds that the texts have all `pieces` and no `excluded` one. */
function checked(sql: Queryable, indexed: Conditions, pieces: string[], excluded: string[]): Conditions {
  return {
    match: row =>
      sql`${indexed.match(row)} and ${has(sql, texts(sql, row), pieces)} and ${hasNone(sql, row, excluded)}`,
    inTitle: row =>
      sql`${indexed.inTitle(row)} and ${has(sql, sql`${row}.title`, pieces)} and ${hasNone(sql, row, excluded)}`,
  }
}

/**
 * Ignores case. Each piece must occur in the title, or in the title and the description together, and an excluded piece in neither.
 * There is no index for letters, so not all videos are read: unless only few can be found anyway.
 */
export function byLetters(
  sql: Queryable,
  user_id: UserId,
  q: string,
  { channel_id, reaches_all = false }: { channel_id?: string | undefined; reaches_all?: boolean } = {},
): Words {
  const typed = foldedSearch(q)
  const pieces = piecesIn(typed)
  const excluded = excludedIn(typed)
  // Compares with null, and so is true, if there are fewer videos.
  const isAmong = (row: Piece, newest: number) =>
    reaches_all
      ? sql`true`
      : sql`((${row}.sort_at, ${row}.id) < (
    select   sort_at, id
    from     video_entries
    where    user_id = ${user_id} and ${channel_id === undefined ? sql`true` : sql`channel_id = ${channel_id}`}
    order by sort_at desc, id desc
    offset   ${newest - 1}
    limit    1)) is not true`
  const inTitle = (row: Piece) =>
    sql`${hasLoosely(sql, sql`${row}.title`, pieces)} and ${isAmong(row, reach_inside_words.title)}`
  const inBoth = (row: Piece) =>
    sql`${isAmong(row, reach_inside_words.elsewhere)} and ${has(sql, texts(sql, row), pieces)}`
  return {
    by: 'letters',
    isExact: exactly(sql, q),
    match: row => sql`(${inTitle(row)} or ${inBoth(row)}) and ${hasNone(sql, row, excluded)}`,
    inTitle: row => sql`${inTitle(row)} and ${hasNone(sql, row, excluded)}`,
    reach: reach_inside_words,
    pieces,
  }
}

/** Reading these takes about 50 ms. This search is for parts of words, and words that are nowhere, often with a typing error. */
const reach_inside_words = { title: 10_000, elsewhere: 2_000 }

/** Searches by words if these find any video, by letters otherwise. */
export async function wordsIn(sql: Queryable, user_id: UserId, q: string, channel_id?: string): Promise<Words> {
  const words = await byWords(sql, q)
  const [found] = words
    ? await sql`
        select from video_entries entry
        where  entry.user_id = ${user_id} and ${words.match(sql`entry`)}
        and    ${channel_id === undefined ? sql`true` : sql`entry.channel_id = ${channel_id}`}
        limit  1`
    : []
  return words && found ? words : byLetters(sql, user_id, q, { channel_id })
}

/** Calls `work` with the condition of the search `q` on a row named `entry`; without words, with one that is always true. */
export const matched = <T>(
  sql: Sql,
  user_id: UserId,
  { q, channel_id }: { q?: string | undefined; channel_id?: string | undefined },
  work: (on: Queryable, match: Piece) => Promise<T>,
): Promise<T> =>
  q
    ? searching(sql, { by: 'words' }, async tx =>
        work(tx, (await wordsIn(tx, user_id, q, channel_id)).match(sql`entry`)),
      )
    : work(sql, sql`true`)

// Turns text in scripts without spaces between words into what the index knows of it: pairs of letters. The index has each letter
// with the one after it, and the last letter of a run alone (see the migration `search`). Pure.

/** Thai, Lao, Tibetan, Myanmar, Khmer, Han, Hiragana and Katakana; the same as in the migration. */
const letters = String.raw`\u0e00-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3041-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua9e0-\ua9ff\uaa60-\uaa7f\uf900-\ufaff\uff66-\uff9f\u{20000}-\u{3ffff}`
const letter = new RegExp(`[${letters}]`, 'u')
const runs = new RegExp(`[${letters}]+`, 'gu')
const pair = new RegExp(`^[${letters}]{1,2}$`, 'u')

/** Whether a text has letters of these scripts. Postgres would take many words in it for one. */
export const isUnspaced = (text: string): boolean => letter.test(text)

/** A tsquery for the texts that have all pairs of a piece; `''` without any. A single letter is the beginning of a pair. */
export const pairsOf = (piece: string): string =>
  (piece.match(runs) ?? [])
    .map(run => [...run])
    .flatMap(run => (run.length === 1 ? `'${run[0]}':*` : run.slice(1).map((next, at) => `'${run[at]}${next}'`)))
    .join(' & ')

/** Whether a text with the pairs of a piece surely has the piece itself. Of a longer one, it may have the pairs in several places. */
export const isOnePair = (piece: string): boolean => pair.test(piece)
