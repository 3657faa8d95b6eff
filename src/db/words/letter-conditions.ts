/** Conditions on the letters of titles and descriptions, without an index. */
import type { Piece, Queryable } from '../postgres/client.ts'
import { folded, namePattern, signs, staying } from './folded.ts'
import { typedWords } from './search-text.ts'

/**
 * Whether a title that matches has the words as they were typed, in upper or lower case, with any sign where one was typed. `has_or`: one
 * word is enough.
 */
export const exactly = (sql: Queryable, q: string, has_or = false) => {
  const patterns = typedWords(q)
    .filter(word => !has_or || !/^or$/i.test(word))
    .map(word => `%${word.replace(/[^\p{L}\p{M}\p{N}]/gu, '_')}%`)
  if (patterns.length === 0) return (_row: Piece) => sql`true`
  const wanted = has_or ? sql`any(${patterns})` : sql`all(${patterns})`
  return (row: Piece) => sql`normalize(${row}.title) ilike ${wanted}`
}

/** Whether a name has the folded `part`, joined or parted. */
export const isNamed = (sql: Queryable, name: Piece, part: string): Piece =>
  sql`folded(${name}) ~* ${namePattern(part)}`

/** Whether a title has all folded `pieces`, joined or parted. */
export const hasLoosely = (sql: Queryable, title: Piece, pieces: string[]): Piece =>
  sql`(${title} ~ all(${pieces.map(piece => mayHave(piece, parting))}) and folded(${title}) ~* all(${pieces.map(namePattern)}))`

/** The title and the description as one text. */
export const texts = (sql: Queryable, row: Piece) => sql`concat_ws(' ', ${row}.title, ${row}.description)`
/** Whether `text` has all folded `pieces`. */
export const has = (sql: Queryable, text: Piece, pieces: string[]) =>
  pieces.length === 0
    ? sql`true`
    : sql`(${text} ~ all(${pieces.map(piece => mayHave(piece))}) and folded(${text}) ilike all(${pieces.map(containing)}))`

/** Whether the texts of a row have none of the folded pieces. */
export const hasNone = (sql: Queryable, row: Piece, excluded: string[]) =>
  excluded.reduce((all, piece) => sql`${all} and not ${has(sql, texts(sql, row), [piece])}`, sql`true`)

/** A pattern for folded texts that have the folded `piece`. */
export const containing = (piece: string): string => `%${piece.replace(/[\\%_]/g, '\\$&')}%`

/** Common letters that each become one letter, and signs that become a space; as ranges. */
export const becoming_one =
  '\u00c0-\u00c5\u00c7-\u00d6\u00d8-\u00dd\u00e0-\u00e5\u00e7-\u00f6\u00f8-\u00fd\u00ff-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u0151' +
  '\u0154-\u017f\u01a0\u01a1\u01af\u01b0\u0218-\u021b\u1ea0-\u1ef9\u0386\u0388-\u038a\u038c\u038e\u038f\u03aa-\u03af\u03c2\u03ca-\u03ce\u0401\u0451' +
  '\u0622-\u0626\u0629\u0649\u06a9\u06cc“”„«»‹›‘’…–—·•、。！？「」【】（）：，｜･\uff01-\uff5e'

const written_as = Map.groupBy(
  [...becoming_one.matchAll(/(.)-(.)|./g)].flatMap(([one, first = one, last = one]) => {
    const from = first.charCodeAt(0)
    return Array.from({ length: last.charCodeAt(0) - from + 1 }, (_, at) => String.fromCharCode(from + at))
  }),
  letter => folded(letter).toLowerCase(),
)

/**
 * A regular expression of Postgres that matches every text whose folded form has the folded `piece`. It matches others only if they have
 * letters that are neither `staying` nor `becoming_one`. Folding a text takes ten times as long as looking for letters in it.
 * `between`: what else may be between two letters.
 */
export const mayHave = (piece: string, between = ''): string =>
  `[^${staying}${becoming_one}]|${[...piece].map(letter => `[${formsOf(letter)}]`).join(between)}`

/** Whatever becomes a space or a sign. */
const parting = String.raw`[\s${signs}${[...` '-`].map(sign => (written_as.get(sign) ?? []).join('')).join('')}]*`

const formsOf = (letter: string) =>
  [letter, letter.toLowerCase(), letter.toUpperCase(), ...(written_as.get(letter.toLowerCase()) ?? [])]
    .join('')
    .replace(/[\\\]^[-]/g, '\\$&')
