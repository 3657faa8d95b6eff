/**
 * Marks the words of a search in titles and descriptions. Postgres marks them with private-use characters, never with HTML; this
 * file turns its answer into pieces. Results of a search by letters are marked by letters.
 */
import type { Highlighted, SearchHit } from '../../schema/search.ts'
import type { Piece, Queryable } from '../postgres/client.ts'
import { spaces } from './typed.ts'

/** Private-use characters. Those in the text of a feed are removed before. */
const [begin, end] = ['\ue000', '\ue001']
/** Control characters, one for each of `spaces`: Postgres takes them for signs and not for letters, whatever its locale. */
const stand_ins = String.fromCharCode(...range(0x01, 0x08), ...range(0x0b, 0x0c), ...range(0x0e, 0x1f))

const options = `StartSel="${begin}", StopSel="${end}"`
const whole = `${options}, HighlightAll=true`
const fragments = `${options}, MinWords=12, MaxWords=32, MaxFragments=2, FragmentDelimiter=" … "`

/** Columns with the marked texts of a row named `entry`; null if the pieces are marked instead. */
export const marks = (sql: Queryable, query: string | undefined) =>
  query === undefined ? sql`null as marked_title, null as marked_description` : marksBy(sql, query)

const marksBy = (sql: Queryable, query: string) => sql`
  ${wholeMarked(sql, sql`left(entry.title, 2000)`, query)} as marked_title,
  ts_headline('simple', ${withoutSigns(sql, sql`left(entry.description, 50000)`)}, ${query}::tsquery, ${fragments}) as marked_description`

/** All of a text, with marks for `piecesOf`. */
export const wholeMarked = (sql: Queryable, text: Piece, query: string): Piece =>
  sql`ts_headline('simple', ${withoutSigns(sql, text)}, ${query}::tsquery, ${whole})`

const withoutSigns = (sql: Queryable, text: Piece) =>
  sql`translate(${text}, ${spaces + stand_ins + begin + end}, ${stand_ins})`

export type MarkedRow = { marked_title: string | null; marked_description: string | null }
type Text = { title: string; description: string | null }

export const highlightsOf = (
  { marked_title, marked_description, ...text }: Text & MarkedRow,
  { pieces }: { pieces: string[] },
): SearchHit['highlights'] => {
  if (pieces.length === 0) return { title: null, description: null }
  return marked_title === null ? byLetters(text, pieces) : byWords(marked_title, marked_description)
}

const byWords = (title: string, description: string | null): SearchHit['highlights'] => ({
  title: withMatch(piecesOf(title)),
  description: description === null ? null : withMatch(piecesOf(description)),
})

/** `null`: nothing is marked. */
const withMatch = (marked: Highlighted) => (marked.some(({ match }) => match) ? marked : null)

export const piecesOf = (marked: string): Highlighted =>
  marked
    .split(new RegExp(`(${begin}[^${end}]*${end})`))
    .filter(piece => piece !== '')
    .map(piece => ({ text: restored(piece), match: piece.startsWith(begin) }))

const restored = (piece: string) =>
  piece
    .replaceAll(begin, '')
    .replaceAll(end, '')
    .replace(new RegExp(`[${stand_ins}]`, 'g'), sign => spaces[stand_ins.indexOf(sign)] ?? '')

/** Marks the whole title, and a part of the description that begins shortly before the first match. */
function byLetters({ title, description }: Text, pieces: string[]): SearchHit['highlights'] {
  const mark = (text: string) => withMatch(lettersMarked(text, pieces))
  const at = description?.slice(0, most_letters).search(anyOf(pieces)) ?? -1
  return { title: mark(title), description: description && at >= 0 ? mark(around(description, at)) : null }
}

/** All of a text. */
export const lettersMarked = (text: string, pieces: string[]): Highlighted =>
  text.split(anyOf(pieces)).flatMap((piece, at) => (piece === '' ? [] : [{ text: piece, match: at % 2 === 1 }]))

const anyOf = (pieces: string[]) => new RegExp(`(${pieces.map(escaped).join('|')})`, 'giu')

const most_letters = 50_000

const escaped = (piece: string) => piece.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

function around(text: string, at: number): string {
  const from = Math.max(0, at - 60)
  const shown = text
    .slice(from, from + 220)
    .toWellFormed()
    .replaceAll('\ufffd', '')
  return `${from > 0 ? '… ' : ''}${shown}${from + 220 < text.length ? ' …' : ''}`
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}
