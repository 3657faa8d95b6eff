/**
 * From what somebody searches for to a condition on a row named `entry`: by its words, which are indexed, or, where those
 * find nothing or the script knows no spaces, by the letters themselves.
 */
import type { UserId } from '../schema/user.ts'
import type { Piece, Queryable } from './client.ts'
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

/** `channel_id`: only what is found there counts. */
export async function wordsOf(sql: Queryable, user_id: UserId, q: string, channel_id?: string): Promise<Words> {
  const typed = straight(q)
  const pieces = piecesIn(typed)
  const byLetters = { match: standingIn(sql, pieces), rank: inTitle(sql, pieces), pieces }
  if (runsTogether(typed)) return byLetters
  const query = await queryOf(sql, typed)
  if (query === '') return byLetters
  const match = sql`entry.words @@ ${query}::tsquery`
  const [found] = await sql`
    select from video_entries entry
    where  entry.user_id = ${user_id} and ${match}
    and    ${channel_id === undefined ? sql`true` : sql`entry.channel_id = ${channel_id}`}
    limit  1`
  return found ? { match, rank: ranked(sql, query), query, pieces } : byLetters
}

async function queryOf(sql: Queryable, typed: string): Promise<string> {
  const [parsed] = await sql<{ query: string }[]>`select websearch_to_tsquery('simple', ${typed})::text as query`
  return goingOn(parsed?.query ?? '', typed)
}

/** In any case; each piece in the title or the description. */
const standingIn = (sql: Queryable, pieces: string[]) =>
  sql`concat_ws(' ', entry.title, entry.description) ilike all(${pieces.map(containing)})`

const inTitle = (sql: Queryable, pieces: string[]) =>
  sql`(entry.title ilike all(${pieces.map(containing)}))::int::float`

/**
 * A word in the title counts ten times one in the description, words close together more than far apart; and what is new
 * up to twice as much as what is old.
 */
const ranked = (sql: Queryable, query: string) => sql`
  ts_rank('{0, 0, 0.1, 1}', entry.words, ${query}::tsquery)::float
  * (1 + 1 / (1 + greatest(0, extract(epoch from now() - entry.sort_at)::float / 31557600)))`

export const containing = (piece: string): string => `%${piece.replace(/[\\%_]/g, '\\$&')}%`
