/** Conditions on the letters of titles and descriptions, without an index. */
import type { Piece, Queryable } from '../postgres/client.ts'
import { mayHave } from './may-have.ts'
import { typedWords } from './typed.ts'

/** Whether a title that matches has the words as they were typed, in upper or lower case. `has_or`: one word is enough. */
export const exactly = (sql: Queryable, q: string, has_or = false) => {
  const patterns = typedWords(q)
    .filter(word => !has_or || !/^or$/i.test(word))
    .map(containing)
  if (patterns.length === 0) return (_row: Piece) => sql`true`
  const wanted = has_or ? sql`any(${patterns})` : sql`all(${patterns})`
  return (row: Piece) => sql`normalize(${row}.title) ilike ${wanted}`
}

/** The title and the description as one text. */
export const texts = (sql: Queryable, row: Piece) => sql`concat_ws(' ', ${row}.title, ${row}.description)`
/** Whether `text` has all folded `pieces`. */
export const has = (sql: Queryable, text: Piece, pieces: string[]) =>
  pieces.length === 0
    ? sql`true`
    : sql`(${text} ~ all(${pieces.map(mayHave)}) and folded(${text}) ilike all(${pieces.map(containing)}))`

/** Whether the texts of a row have none of the folded pieces. */
export const hasNone = (sql: Queryable, row: Piece, excluded: string[]) =>
  excluded.reduce((all, piece) => sql`${all} and not ${has(sql, texts(sql, row), [piece])}`, sql`true`)

/** A pattern for folded texts that have the folded `piece`. */
export const containing = (piece: string): string => `%${piece.replace(/[\\%_]/g, '\\$&')}%`
