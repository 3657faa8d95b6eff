/**
 * Turns a search into conditions on rows: by words, which are indexed; or by letters, where words find nothing or the script has
 * no spaces. `found.ts` decides in which order the rows are read.
 *
 * Search uses Postgres' `simple` configuration, because videos are in every language; the last word may be incomplete.
 * Scripts without spaces are searched by letters: all titles, and the descriptions of the newest 10,000. So are words that match
 * nothing: the titles of the newest 10,000, and the descriptions of the newest 2,000.
 */
import type { UserId } from '../../schema/user.ts'
import type { Piece, Queryable } from '../postgres/client.ts'
import { asPrefix, excludedIn, piecesIn, runsTogether, straight } from './typed.ts'

/** Each condition is about the row that `row` names. */
export type Words = {
  match(row: Piece): Piece
  /** Matches, and the title alone would. */
  inTitle(row: Piece): Piece
  /** A tsquery; `undefined`: the search is by letters. */
  query?: string
  /** Whether the index finds the rows. It does not if the search is by letters, or if rows without any of its words match. */
  is_indexed: boolean
  /** Of how many of the newest videos the titles, and the titles with descriptions, are compared; null: of all. */
  reach: { title: number | null; elsewhere: number | null }
  /** The texts that must occur, in a search by letters. */
  pieces: string[]
}

/** `undefined`: none of its words is indexed. */
export async function byWords(sql: Queryable, q: string): Promise<Words | undefined> {
  const typed = straight(q)
  if (runsTogether(typed)) return undefined
  const [parsed] = await sql<{ query: string; is_indexed: boolean }[]>`
    select query::text, querytree(query) not in ('', 'T') as is_indexed
    from   websearch_to_tsquery('simple', ${typed}) as query`
  const query = asPrefix(parsed?.query ?? '', typed)
  if (query === '') return undefined
  const match = (row: Piece) => sql`${row}.words @@ ${query}::tsquery`
  return {
    match,
    // An excluded word must not be in the description either.
    inTitle: row => sql`
      ts_filter(${row}.words, '{a}') @@ ${query}::tsquery and ${query.includes('!') ? match(row) : sql`true`}`,
    query,
    is_indexed: parsed?.is_indexed ?? false,
    reach: { title: null, elsewhere: null },
    pieces: piecesIn(typed),
  }
}

/**
 * Ignores case. Each piece must occur in the title, or in the title and the description together, and an excluded piece in neither.
 * There is no index for letters, so not all videos are read.
 */
export function byLetters(sql: Queryable, user_id: UserId, q: string, channel_id?: string): Words {
  const typed = straight(q)
  const pieces = piecesIn(typed)
  const patterns = pieces.map(containing)
  const excluded = excludedIn(typed).map(containing)
  const reach = runsTogether(typed) ? reach_without_spaces : reach_inside_words
  // Compares with null, and so is true, if there are fewer videos.
  const isAmong = (row: Piece, newest: number | null) =>
    newest === null
      ? sql`true`
      : sql`((${row}.sort_at, ${row}.id) < (
          select   sort_at, id
          from     video_entries
          where    user_id = ${user_id} and ${channel_id === undefined ? sql`true` : sql`channel_id = ${channel_id}`}
          order by sort_at desc, id desc
          offset   ${newest - 1}
          limit    1)) is not true`
  const texts = (row: Piece) => sql`concat_ws(' ', ${row}.title, ${row}.description)`
  const isExcluded = (row: Piece) => (excluded.length === 0 ? sql`false` : sql`${texts(row)} ilike any(${excluded})`)
  const inTitle = (row: Piece) => sql`${row}.title ilike all(${patterns}) and ${isAmong(row, reach.title)}`
  const inBoth = (row: Piece) => sql`${isAmong(row, reach.elsewhere)} and ${texts(row)} ilike all(${patterns})`
  return {
    match: row => sql`(${inTitle(row)} or ${inBoth(row)}) and not (${isExcluded(row)})`,
    inTitle: row => sql`${inTitle(row)} and not (${isExcluded(row)})`,
    is_indexed: false,
    reach,
    pieces,
  }
}

/** Other ways to find anything in these scripts do not exist. */
const reach_without_spaces = { title: null, elsewhere: 10_000 }
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
  return words && found ? words : byLetters(sql, user_id, q, channel_id)
}

export const containing = (piece: string): string => `%${piece.replace(/[\\%_]/g, '\\$&')}%`
