/**
 * From what somebody searches for to a condition on a row named `entry`: by its words, which are indexed, or, where those
 * find nothing or the script knows no spaces, by the letters themselves.
 */
import type { UserId } from '../../schema/user.ts'
import type { Piece, Queryable } from '../postgres/client.ts'
import { goingOn, piecesIn, runsTogether, straight } from './typed.ts'

export type Words = {
  match: Piece
  /** More for the better ones. */
  rank: Piece
  /** As Postgres takes it; `undefined`: found by letters. */
  query?: string
  /** What must stand there, if found by letters. */
  pieces: string[]
}

/** `undefined`: there is no word in it that is indexed. */
export async function byWords(sql: Queryable, q: string): Promise<Words | undefined> {
  const typed = straight(q)
  if (runsTogether(typed)) return undefined
  const [parsed] = await sql<{ query: string }[]>`select websearch_to_tsquery('simple', ${typed})::text as query`
  const query = goingOn(parsed?.query ?? '', typed)
  if (query === '') return undefined
  return { match: sql`entry.words @@ ${query}::tsquery`, rank: ranked(sql, query), query, pieces: piecesIn(typed) }
}

/**
 * In any case; each piece in the title, or in the title and the description together. No index knows letters, and so
 * only the descriptions of the newest are read.
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

/** How the videos of one channel are searched: by words, if these find any. */
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
 * A word in the title counts ten times one in the description, words close together more than far apart; and what is new
 * up to twice as much as what is old.
 */
const ranked = (sql: Queryable, query: string) => sql`
  ts_rank('{0, 0, 0.1, 1}', entry.words, ${query}::tsquery)::float
  * (1 + 1 / (1 + greatest(0, extract(epoch from now() - entry.sort_at)::float / 31557600)))`

export const containing = (piece: string): string => `%${piece.replace(/[\\%_]/g, '\\$&')}%`
