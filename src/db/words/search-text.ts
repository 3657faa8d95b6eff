/** Turns what a person typed into a search field into what the database takes. Pure; no text is an error. */
import { folded } from './folded.ts'

/** The text of a search with folded letters and straight quotes. */
export const foldedSearch = (typed: string): string => folded(withStraightQuotes(typed))

/** The curly quotes of phones enclose a phrase, too. */
const withStraightQuotes = (typed: string) => typed.replace(/[“”„«»]/g, '"')

/** The words that must occur in a text, in the letters that were typed, composed. */
export const typedWords = (typed: string): string[] =>
  wantedIn(withStraightQuotes(typed.normalize('NFC'))).flatMap(piece => piece.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])

/**
 * Turns the last word of a printed tsquery into a prefix match: `bread ba` finds baking. Closed phrases, excluded words and
 * single letters stay as they are.
 */
export function asPrefix(query: string, typed: string): string {
  if (/"\s*$/.test(typed)) return query
  const tokens = query.match(/'(?:[^']|'')*'|[^\s']+/g) ?? []
  const last = tokens.length - 1
  // Postgres makes `foo-ba` a phrase of its parts.
  let first = tokens[last]?.startsWith("'") ? last : tokens.length
  while (tokens[first - 1] === '<->') first -= 2
  if (tokens[first - 1] === '!') return query
  return tokens.map((token, at) => (at >= first && /^'..+'$/u.test(token) ? `${token}:*` : token)).join(' ')
}

/** The pieces that must occur in a text, for a search by letters; never none. */
export function piecesIn(typed: string): string[] {
  const pieces = wantedIn(typed)
  return pieces.length === 0 ? [typed.trim()] : pieces
}

/** The words and phrases without a sign before them; at most ten. */
export const wantedIn = (typed: string): string[] => listed(typed, '')

/** The words and phrases that must not occur in a text; at most ten. */
export const excludedIn = (typed: string): string[] => listed(typed, '-')

/**
 * What was typed without the words and phrases, excluded ones too, for which `isLeftOut`. An `or` next to one of these is left out too:
 * without one of its sides, Postgres takes it for a word.
 */
export function without(typed: string, isLeftOut: (piece: string) => boolean): string {
  const pieces = [...typed.matchAll(piece_pattern)].map(([piece]) => piece)
  const are_out = pieces.map(isLeftOut)
  let next = 0
  return typed.replace(piece_pattern, piece => {
    const at = next++
    const is_half_or = /^or$/i.test(piece) && (are_out[at - 1] || are_out[at + 1])
    return are_out[at] || is_half_or ? ' ' : piece
  })
}

/** A sign, and a phrase in quotes or a word. */
const piece_pattern = /(-?)(?:"([^"]*)"?|([^\s"]+))/g

const listed = (typed: string, wanted_sign: '' | '-') =>
  [...typed.matchAll(piece_pattern)]
    .filter(([, sign]) => sign === wanted_sign)
    .map(([, , phrase, word]) => (phrase ?? word ?? '').trim())
    .filter(piece => piece !== '')
    .slice(0, 10)
