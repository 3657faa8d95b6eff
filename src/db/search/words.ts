/**
 * Turns a search into a condition on a row named `entry`: by words, which are indexed; or by letters, where words find nothing
 * or the script has no spaces.
 *
 * Search uses Postgres' `simple` configuration, because videos are in every language; the last word may be incomplete.
 * Scripts without spaces, and words that match nothing, are searched by letters: all titles, and the descriptions of
 * the newest 10,000. A title counts ten times a description, and the newest up to twice the oldest; the 2,000 best
 * candidates are ranked.
 */
import type { UserId } from '../../schema/user.ts'
import type { Piece, Queryable } from '../postgres/client.ts'
import { asPrefix, piecesIn, runsTogether, straight } from './typed.ts'

export type Words = {
  match: Piece
  /** Higher for better matches. */
  rank: Piece
  /** A tsquery; `undefined`: the search is by letters. */
  query?: string
  /** The texts that must occur, in a search by letters. */
  pieces: string[]
}

/** `undefined`: none of its words is indexed. */
export async function byWords(sql: Queryable, q: string): Promise<Words | undefined> {
  const typed = straight(q)
  if (runsTogether(typed)) return undefined
  const [parsed] = await sql<{ query: string }[]>`select websearch_to_tsquery('simple', ${typed})::text as query`
  const query = asPrefix(parsed?.query ?? '', typed)
  if (query === '') return undefined
  return { match: sql`entry.words @@ ${query}::tsquery`, rank: ranked(sql, query), query, pieces: piecesIn(typed) }
}

/**
 * Ignores case. Each piece must occur in the title, or in the title and the description together. There is no index for
 * letters, so only the descriptions of the newest videos are read.
 */
export function byLetters(sql: Queryable, user_id: UserId, q: string, channel_id?: string): Words {
  const pieces = piecesIn(straight(q))
  const patterns = pieces.map(containing)
  const newest = sql`
    select   id
    from     video_entries
    where    user_id = ${user_id} and ${channel_id === undefined ? sql`true` : sql`channel_id = ${channel_id}`}
    order by sort_at desc, id desc
    limit    ${most_read}`
  return {
    match: sql`(
      entry.title ilike all(${patterns})
      or entry.id in (${newest}) and concat_ws(' ', entry.title, entry.description) ilike all(${patterns}))`,
    rank: sql`(entry.title ilike all(${patterns}))::int::float`,
    pieces,
  }
}

const most_read = 10_000

/** Searches by words if these find any video, by letters otherwise. */
export async function wordsIn(sql: Queryable, user_id: UserId, q: string, channel_id?: string): Promise<Words> {
  const words = await byWords(sql, q)
  const [found] = words
    ? await sql`
        select from video_entries entry
        where  entry.user_id = ${user_id} and ${words.match}
        and    ${channel_id === undefined ? sql`true` : sql`entry.channel_id = ${channel_id}`}
        limit  1`
    : []
  return words && found ? words : byLetters(sql, user_id, q, channel_id)
}

/**
 * A word in the title counts ten times one in the description, and words close together count more than words far apart. A new
 * video counts up to twice as much as an old one.
 */
const ranked = (sql: Queryable, query: string) => sql`
  ts_rank('{0, 0, 0.1, 1}', entry.words, ${query}::tsquery)::float
  * (1 + 1 / (1 + greatest(0, extract(epoch from now() - entry.sort_at)::float / 31557600)))`

export const containing = (piece: string): string => `%${piece.replace(/[\\%_]/g, '\\$&')}%`
