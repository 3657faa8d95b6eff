/**
 * Reads what a person typed into the search field: words, and filters like `before:2025`. `search-filters.ts` reads the values of the
 * filters; what the words match is left to the database. Pure; no text is an error.
 */
import {
  isOneOff,
  isSearchKey,
  next_hints,
  readFilter,
  type SearchFilter,
  type SearchKey,
  search_keys,
} from './search-filters.ts'

export type SearchPart = {
  filter: SearchFilter
  /** As it was typed, with a quotation mark that was missing. */
  typed: string
  /** The filter in words: "Longer than 20 min". */
  means: string
  /** The search without this filter. */
  without: string
}
export type SearchHint = {
  typed: string
  hint: string
  /** The search as it was probably meant; `null`: unknown. */
  instead: string | null
}
type ReadSearch = { words: string; filters: SearchFilter[]; parts: SearchPart[]; hints: SearchHint[] }

/** More filters than these are left out. */
export const max_filters = 20
const max_hints = 5

export function readSearch(typed: string, now: Date): ReadSearch {
  const all = readWords(piecesOf(typed))
  const loose = looseOrs(all)
  const pieces = all.filter(piece => !loose.includes(piece))
  const parts: SearchPart[] = []
  const hints: SearchHint[] = []
  const wrong_or = loose.find(or => isWrong(all, or))
  for (const piece of all) {
    const hint = (text: string, mended?: string, taken?: Piece) => {
      const others = pieces.filter(other => other !== taken)
      hints.push({ typed: closed(piece), hint: text, instead: mended ? joined(others, piece, mended) : null })
    }
    if (loose.includes(piece)) {
      if (piece === wrong_or) hint('All filters must fit, so this “or” is left out. Search for one at a time.')
    } else if (piece.kind === 'word') {
      const next = pieces[pieces.indexOf(piece) + 1]
      const meant = meantBy(piece, now)
      const whole = withoutSpace(piece, next, now)
      if (meant) hint(`Did you mean ${meant}?`, meant)
      if (whole) hint(`Leave out the space: ${whole}`, whole, next)
    } else if (piece.value === '') {
      hint(next_hints[piece.key])
    } else {
      const read = readFilter(piece.key, { ...piece, now })
      if ('hint' in read) hint(read.hint, read.mended)
      else if (parts.length === max_filters) hint(`At most ${max_filters} filters count.`)
      else parts.push({ ...read, typed: closed(piece), without: joined(pieces, piece) })
    }
  }
  const words = joined(pieces.filter(({ kind }) => kind === 'word'))
  return { words, filters: parts.map(({ filter }) => filter), parts, hints: hints.slice(0, max_hints) }
}

/** A word, a phrase, or a filter, with its place in what was typed. */
type Place = { text: string; start: number; end: number }
type Word = Place & { kind: 'word' }
export type Filter = Place & { kind: 'filter'; key: SearchKey; value: string; is_quoted: boolean; is_excluded: boolean }
type Piece = Word | Filter

/** A filter; a phrase in quotation marks; or a word. */
const piece_pattern = /(-?)([a-z]+):(?:"([^"]*)"?|([^\s"]*))|-?"[^"]*"?|[^\s"]+/gi

/** Phones write curly quotation marks. */
const piecesOf = (typed: string): Piece[] =>
  [...typed.replace(/[“”„«»]/g, '"').matchAll(piece_pattern)].map(match => {
    const [text, sign, name = '', quoted, bare = ''] = match
    const place = { text, start: match.index, end: match.index + text.length }
    const key = name.toLowerCase()
    if (!isSearchKey(key)) return { ...place, kind: 'word' }
    const value = (quoted ?? bare).trim()
    return { ...place, kind: 'filter', key, value, is_quoted: quoted !== undefined, is_excluded: sign === '-' }
  })

/** The piece that the text ends with; `undefined`: it ends between two. */
export function lastPieceOf(typed: string): Piece | undefined {
  const last = piecesOf(typed).at(-1)
  return last?.end === typed.length ? last : undefined
}

/** `channel: kitchen` is two words. At the end of what was typed, `channel:` is a filter that is not complete yet. */
function readWords(pieces: Piece[]): Piece[] {
  const last_word = pieces.findLastIndex(piece => piece.kind === 'word' && !isOr(piece))
  return pieces.map((piece, at) => {
    if (piece.kind === 'word' || piece.value !== '' || piece.is_quoted || at > last_word) return piece
    return { kind: 'word', text: piece.text, start: piece.start, end: piece.end }
  })
}

/** An `or` joins two words. Next to a filter it says nothing, and the database would search for it. */
function looseOrs(pieces: Piece[]): Piece[] {
  if (pieces.every(({ kind }) => kind === 'word')) return []
  return pieces.filter(piece => isOr(piece) && !sidesOf(pieces, piece).every(side => side?.kind === 'word'))
}

/** What an `or` is between; `undefined`: nothing. */
const sidesOf = (pieces: Piece[], or: Piece) => [
  pieces.slice(0, pieces.indexOf(or)).findLast(other => !isOr(other)),
  pieces.slice(pieces.indexOf(or)).find(other => !isOr(other)),
]

/** A result needs only one of several channels or groups, so an `or` between them is right. */
function isWrong(pieces: Piece[], or: Piece): boolean {
  const [left, right] = sidesOf(pieces, or)
  if (!left || !right) return false
  const keys = [left, right].map(side => (side.kind === 'filter' && !side.is_excluded ? side.key : undefined))
  return keys[0] !== keys[1] || (keys[0] !== 'channel' && keys[0] !== 'group')
}

const isOr = ({ text }: Piece) => /^or$/i.test(text)

/** The pieces as text: without `piece`, or with `instead` in its place. Pieces that touched each other still do. */
const joined = (pieces: Piece[], piece?: Piece, instead = ''): string =>
  pieces
    .filter(other => other !== piece || instead !== '')
    .map((other, at, all) => {
      const touches = at === 0 || all[at - 1]?.end === other.start
      return `${touches ? '' : ' '}${other === piece ? instead : other.text}`
    })
    .join('')

/** So that it can be followed by other words. */
const closed = ({ text }: Piece) => (text.split('"').length === 2 ? `${text}"` : text)

/** `longer:20m` for `longer: 20m`, if that would be a filter. */
function withoutSpace({ text, end }: Word, next: Piece | undefined, now: Date): string | undefined {
  const [, sign, name = ''] = /^(-?)([a-z]+):$/i.exec(text) ?? []
  const key = name.toLowerCase()
  if (!isSearchKey(key) || next?.kind !== 'word' || isOr(next) || next.start === end) return undefined
  const [, value] = /^"?([^"-][^"]*)/.exec(next.text) ?? []
  if (!value || 'hint' in readFilter(key, { value, is_excluded: sign === '-', now })) return undefined
  return `${text}${closed(next)}`
}

/** `channel:kitchen` for `chanel:kitchen`, if that would be a filter. */
function meantBy({ text }: Word, now: Date): string | undefined {
  const [, sign = '', name = '', value = ''] = /^(-?)([a-z]+):"?([^"]+)/i.exec(text) ?? []
  const key = search_keys.find(known => isOneOff(name, known))
  if (!key || 'hint' in readFilter(key, { value, is_excluded: sign === '-', now })) return undefined
  return `${sign}${key}${text.slice(text.indexOf(':'))}`
}
