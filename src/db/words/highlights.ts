/**
 * Marks the words of a search in titles and descriptions. Postgres marks them with private-use characters, never with HTML; this file
 * turns its answer into pieces. Results of a search by letters are marked by letters. Both are found in the folded text, and shown in the
 * letters of the text itself.
 */
import type { Highlighted, SearchHit } from '../../schema/search/search.ts'
import type { Piece, Queryable } from '../postgres/client.ts'
import { type Folded, foldedPlaces, loosePattern, signs } from './folded.ts'

/** Private-use characters. No folded text has them. */
const [begin, end] = ['\ue000', '\ue001']
/** No folded text has this either. */
const between = ' … '

const options = `StartSel="${begin}", StopSel="${end}"`
const whole = `${options}, HighlightAll=true`
const fragments = `${options}, MinWords=12, MaxWords=32, MaxFragments=2, FragmentDelimiter="${between}"`

/** Columns with the marked texts of a row named `entry`; null if the pieces are marked instead. */
export const marks = (sql: Queryable, query: string | undefined) =>
  query === undefined ? sql`null as marked_title, null as marked_description` : marksBy(sql, query)

const marksBy = (sql: Queryable, query: string) => sql`
  ${wholeMarked(sql, sql`left(entry.title, 2000)`, query)} as marked_title,
  ts_headline('simple', ${parted(sql, sql`left(entry.description, 50000)`)}, ${query}::tsquery, ${fragments}) as marked_description`

/** All of a text, with marks for `piecesOf`. */
export const wholeMarked = (sql: Queryable, text: Piece, query: string): Piece =>
  sql`ts_headline('simple', ${parted(sql, text)}, ${query}::tsquery, ${whole})`

/** The folded text with spaces for signs, because Postgres' own words have signs. */
const parted = (sql: Queryable, text: Piece): Piece => sql`regexp_replace(folded(${text}), ${`[${signs}]`}, ' ', 'g')`

export type MarkedRow = { marked_title: string | null; marked_description: string | null }
type Text = { title: string; description: string | null }

export const highlightsOf = (
  { marked_title, marked_description, ...text }: Text & MarkedRow,
  { pieces }: { pieces: string[] },
): SearchHit['highlights'] => {
  if (pieces.length === 0) return { title: null, description: null }
  const by_words = marked_title === null ? null : byWords(text, marked_title, marked_description)
  // Postgres does not see that a word that was typed joined is parted there.
  if (!by_words?.title && !by_words?.description) return byLetters(text, pieces)
  return { ...by_words, title: by_words.title ?? withMatch(lettersMarked(text.title, pieces, beginsWord)) }
}

const byWords = (
  { title, description }: Text,
  marked_title: string,
  marked_description: string | null,
): SearchHit['highlights'] => ({
  title: withMatch(piecesOf(title, marked_title)),
  description: withMatch(piecesOf(description ?? '', marked_description ?? '')),
})

/** `null`: nothing is marked. */
const withMatch = (marked: Highlighted) => (marked.some(({ match }) => match) ? marked : null)

const any_sign = new RegExp(`[${signs}]`, 'g')

/** Whether Postgres marked any word. */
export const isMarked = (marked: string): boolean => marked.includes(begin)

/** The parts of a text that Postgres answered with, in its own letters. `marked`: those parts, folded and marked. */
export function piecesOf(text: string, marked: string): Highlighted {
  if (!isMarked(marked)) return text === '' ? [] : [{ text, match: false }]
  const whole = foldedPlaces(text)
  const spaced = whole.text.replace(any_sign, ' ')
  let from = 0
  return marked.split(between).flatMap((part, at) => {
    const pieces = part.split(new RegExp(`${begin}([^${end}]*)${end}`))
    const start = spaced.indexOf(pieces.join(''), from)
    from = Math.max(from, start + pieces.join('').length)
    // A later version of Unicode may fold a new letter.
    const shown = everySecondMarked(start < 0 ? pieces : inOriginal(text, whole, pieces, start))
    return at === 0 ? shown : [{ text: between, match: false }, ...shown]
  })
}

/** Returns the pieces in the letters of the text. `start`: where they begin in the folded text. */
function inOriginal(text: string, { placeOf, endOf }: Folded, pieces: string[], start = 0): string[] {
  let place = start
  let shown = start === 0 ? 0 : placeOf(start)
  return pieces.map((piece, at) => {
    place += piece.length
    const from = shown
    // A letter that folds into two is marked whole.
    const is_before_match = at % 2 === 0 && at < pieces.length - 1
    shown = Math.max(from, is_before_match ? placeOf(place) : endOf(place))
    return text.slice(from, shown)
  })
}

const everySecondMarked = (pieces: string[]): Highlighted =>
  pieces.flatMap((text, at) => (text === '' ? [] : [{ text, match: at % 2 === 1 }]))

/** Marks the whole title, and a part of the description that begins shortly before the first match. */
function byLetters({ title, description }: Text, pieces: string[]): SearchHit['highlights'] {
  const mark = (text: string) => withMatch(lettersMarked(text, pieces))
  const whole = foldedPlaces(description?.slice(0, max_letters_searched) ?? '')
  const at = whole.text.search(anyOf(pieces))
  return {
    title: mark(title),
    description: description && at >= 0 ? mark(around(description, whole.placeOf(at))) : null,
  }
}

const beginsWord = String.raw`(?<![\p{L}\p{M}\p{N}])`

/** All of a text. `before`: a part of an expression for what is before a piece. */
export function lettersMarked(text: string, pieces: string[], before = ''): Highlighted {
  const whole = foldedPlaces(text)
  return everySecondMarked(inOriginal(text, whole, whole.text.split(anyOf(pieces, before))))
}

const anyOf = (pieces: string[], before = '') => new RegExp(`${before}(${pieces.map(loosePattern).join('|')})`, 'giu')

const max_letters_searched = 50_000

function around(text: string, at: number): string {
  const from = Math.max(0, at - 60)
  const shown = text
    .slice(from, from + 220)
    .toWellFormed()
    .replaceAll('\ufffd', '')
  return `${from > 0 ? '… ' : ''}${shown}${from + 220 < text.length ? ' …' : ''}`
}
