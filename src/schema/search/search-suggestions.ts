/** What may complete the last piece of a search: a key, a value, or a name. Pure; the names are looked up elsewhere. */
import { is_values, readFilter, type SearchKey, search_keys } from './search-filters.ts'
import { type Filter, lastPieceOf } from './search-language.ts'

export type SearchSuggestion = {
  /** The search up to its last piece, with this in its place. */
  search: string
  typed: string
  /** What it means in words; `''`: the same. */
  means: string
  /** The video that is meant: the suggestion leads to it. */
  video_id?: string
}

const max_suggestions = 10

/** The part of a name that is being typed after `channel:` or `group:`; `undefined`: no name is. */
export function nameBegunIn(typed: string): { key: 'channel' | 'group'; name: string } | undefined {
  const piece = lastPieceOf(typed)
  if (piece?.kind !== 'filter' || (piece.key !== 'channel' && piece.key !== 'group') || isClosed(piece))
    return undefined
  return { key: piece.key, name: piece.value }
}

/** `names`: those that contain the part of a name, if one is being typed. */
export function suggestionsFor(typed: string, names: string[], now: Date): SearchSuggestion[] {
  const piece = lastPieceOf(typed)
  if (!piece) return []
  const before = typed.slice(0, piece.start)
  const suggest = (text: string, means: string) => ({ search: before + text, typed: text.trim(), means })
  if (piece.kind === 'word') {
    const [, sign = '', begun = ''] = /^(-?)([a-z]{2,})$/i.exec(piece.text) ?? []
    const keys = begun === '' ? [] : search_keys.filter(key => key.startsWith(begun.toLowerCase()))
    return keys.map(key =>
      key === 'on'
        ? suggest(`${sign}on:disk `, meaningOf('on', 'disk', sign === '-', now))
        : suggest(`${sign}${key}:`, key_meanings[key]),
    )
  }
  if (isClosed(piece)) return []
  const sign = piece.is_excluded ? '-' : ''
  return valuesFor(piece, names, now)
    .slice(0, max_suggestions)
    .map(value =>
      suggest(`${sign}${withValue(piece.key, value)} `, meaningOf(piece.key, value, piece.is_excluded, now)),
    )
}

/** The filter that a person would type for this name. */
export const filterNamed = (key: 'channel' | 'group', name: string): string => withValue(key, typeable(name))

const withValue = (key: SearchKey, value: string) => `${key}:${/\s/.test(value) ? `"${value}"` : value}`

/** A name whose second quotation mark is typed is complete. */
const isClosed = ({ text }: Filter) => /:".*"$/.test(text)

function valuesFor({ key, value }: Filter, names: string[], now: Date): string[] {
  if (key === 'channel' || key === 'group') return [...new Set(names.map(typeable))].filter(name => name !== '')
  const begun = value.toLowerCase()
  return valuesOf(key, now).filter(known => known.startsWith(begun) && known !== begun)
}

function valuesOf(key: Exclude<SearchKey, 'channel' | 'group'>, now: Date): readonly string[] {
  const year = now.getUTCFullYear()
  switch (key) {
    case 'on':
      return ['disk']
    case 'is':
      return is_values
    case 'longer':
    case 'shorter':
      return ['5m', '10m', '20m', '30m', '1h', '2h']
    case 'before':
    case 'after':
      return [`${year}`, `${year - 1}`, now.toISOString().slice(0, 7), '7d', '30d', '3m', '1y']
  }
}

/** A value has no quotation marks, so the longest part of the name without one. */
const typeable = (name: string) =>
  name
    .split(/["“”„«»]/)
    .map(part => part.trim().slice(0, 80).trim())
    .reduce((longest, part) => (part.length > longest.length ? part : longest), '')

function meaningOf(key: SearchKey, value: string, is_excluded: boolean, now: Date): string {
  const read = readFilter(key, { value, is_excluded, now })
  const says_the_same = key === 'channel' || key === 'group' || !('means' in read) || read.means.toLowerCase() === value
  return says_the_same ? '' : read.means
}

const key_meanings: Record<Exclude<SearchKey, 'on'>, string> = {
  channel: 'Part of the name of a channel',
  group: 'Part of the name of a group',
  before: 'Published before a date',
  after: 'Published since a date',
  longer: 'Longer than so many minutes',
  shorter: 'Shorter than so many minutes',
  is: 'Watched, started, live and more',
}
