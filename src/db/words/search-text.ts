/** Turns what a person typed into a search field into what the database takes. Pure; no text is an error. */
import { folded, signs } from './folded.ts'

const parts = new RegExp(String.raw`[^\s${signs}]+`, 'g')

/** The text of a search with folded letters and straight quotes. Only a hyphen excludes: other dashes part what is pasted. */
export const foldedSearch = (typed: string): string =>
  folded(withStraightQuotes(typed).replace(/(?<=^|\s)(?!-)[\p{Pd}\u2212]+/gu, ' '))

/** The curly quotes of phones enclose a phrase, too. */
const withStraightQuotes = (typed: string) => typed.replace(/[“”„«»]/g, '"')

/** The words that must occur in a text, in the letters that were typed, composed. A word that signs part is one. */
export const typedWords = (typed: string): string[] =>
  wantedIn(withStraightQuotes(typed.normalize('NFC'))).flatMap(
    piece => piece.match(/[\p{L}\p{M}\p{N}](?:\S*[\p{L}\p{M}\p{N}])?/gu) ?? [],
  )

/**
 * The words of a folded search for `to_tsquery`, without pieces that `isLeftOut`; `''`: none. Each word is found in all its forms: joined,
 * and parted by signs, by spaces or where letters and digits meet. The last word may be incomplete: `bread ba` finds baking. Closed
 * phrases, excluded words and single letters stay as they are.
 */
export function queryOf(typed: string, isLeftOut: (piece: string) => boolean): string {
  const groups: QueryPiece[][] = [[]]
  const pieces = piecesOf(typed, isLeftOut)
  for (const [at, piece] of pieces.entries()) {
    if (piece.is_or && groups.at(-1)?.length && at < pieces.length - 1) groups.push([])
    else groups.at(-1)?.push(piece)
  }
  return eitherOf(groups.map(group => group.map((_, at) => queryAt(group, at)).join(' & ')))
}

/** `words`: each as the parts between its signs. `is_open`: the last word may be incomplete. */
type QueryPiece = { is_or: boolean; is_excluded: boolean; is_phrase: boolean; is_open: boolean; words: string[][] }

/** An `or` next to a piece that is left out goes with it: without one of its sides, it would be a word. */
function piecesOf(typed: string, isLeftOut: (piece: string) => boolean): QueryPiece[] {
  const all = [...typed.matchAll(piece_pattern)].map(([whole, sign, phrase, word]) => ({
    is_or: /^or$/i.test(whole),
    is_excluded: sign === '-',
    is_phrase: word === undefined,
    is_out: isLeftOut(whole),
    words: wordsIn(phrase ?? word ?? ''),
  }))
  const pieces = all.filter(
    ({ is_or, is_out, words }, at) =>
      words.length > 0 && !is_out && !(is_or && (all[at - 1]?.is_out || all[at + 1]?.is_out)),
  )
  const is_closed = /"\s*$/.test(typed)
  return pieces.map((piece, at) => ({
    ...piece,
    is_open: at === pieces.length - 1 && !is_closed && !piece.is_excluded,
  }))
}

const wordsIn = (piece: string): string[][] =>
  piece
    .split(/\s+/)
    .map(word => (word.match(parts) ?? []).filter(part => /[\p{L}\p{M}\p{N}]/u.test(part)))
    .filter(word => word.length > 0)

function queryAt(group: QueryPiece[], at: number): string {
  const piece = group[at] as QueryPiece
  const { words, is_open } = piece
  if (piece.is_excluded) return `!(${phraseOf(words, false)})`
  if (piece.is_phrase) return phraseOf(words, is_open)
  return eitherOf([phraseOf(words, is_open), ...joinedOf(group[at - 1], piece), ...joinedOf(piece, group[at + 1])])
}

/** Two words that were typed one after the other, as one. */
const joinedOf = (one: QueryPiece | undefined, next: QueryPiece | undefined): string[] =>
  one && next && [one, next].every(({ is_excluded, is_phrase }) => !is_excluded && !is_phrase)
    ? [term([...one.words, ...next.words].flat().join(''), next.is_open)]
    : []

const phraseOf = (words: string[][], is_open: boolean): string =>
  words.map((word, at) => formsOf(word, is_open && at === words.length - 1)).join(' <-> ')

function formsOf(word: string[], is_open: boolean): string {
  const joined = word.join('')
  const cuts = word.length > 1 ? [word] : cutsOf(joined.match(/\p{N}+|\P{N}+/gu) ?? [])
  return eitherOf([
    term(joined, is_open),
    ...cuts.map(cut => cut.map((part, at) => term(part, is_open && at === cut.length - 1)).join(' <-> ')),
  ])
}

/** The ways to cut a word where letters and digits meet, in two or three parts, as `4k60`. Names made by machines have more. */
function cutsOf([first = '', second = '', third = '', ...more]: string[]): string[][] {
  if (second === '' || more.length > 0) return []
  if (third === '') return [[first, second]]
  return [
    [first, second + third],
    [first + second, third],
    [first, second, third],
  ]
}

const term = (word: string, is_open: boolean): string => `'${word}'${is_open && /^..+$/u.test(word) ? ':*' : ''}`

const eitherOf = (ways: string[]): string =>
  ways.length > 1 ? `(${ways.map(way => `(${way})`).join(' | ')})` : ways.join('')

/** Whether one of several words is enough. */
export const hasOr = (typed: string): boolean =>
  piecesOf(typed, () => false)
    .slice(1, -1)
    .some(({ is_or }) => is_or)

/** A `to_tsquery` for texts that have a word or a phrase; `''`: it has no letters. */
export const phraseQuery = (piece: string): string => phraseOf(wordsIn(piece), false)

/** The pieces that must occur in a text, for a search by letters; never none. */
export function piecesIn(typed: string): string[] {
  const pieces = wantedIn(typed)
  return pieces.length === 0 ? [typed.trim()] : pieces
}

/** The words and phrases without a sign before them; at most ten. */
export const wantedIn = (typed: string): string[] => listed(typed, '')

/** The words and phrases that must not occur in a text; at most ten. */
export const excludedIn = (typed: string): string[] => listed(typed, '-')

/** A sign, and a phrase in quotes or a word. */
const piece_pattern = /(-?)(?:"([^"]*)"?|([^\s"]+))/g

const listed = (typed: string, wanted_sign: '' | '-') =>
  [...typed.matchAll(piece_pattern)]
    .filter(([, sign]) => sign === wanted_sign)
    .map(([, , phrase, word]) => (phrase ?? word ?? '').trim())
    .filter(piece => piece !== '')
    .slice(0, 10)
