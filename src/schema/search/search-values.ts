/** The keys of filters in a search, and what may follow each: a limit and its meaning in words, or a hint. Pure. */
import { nearest } from '../values/spelling.ts'
import { dayOf, timeAgo } from './search-dates.ts'
import type { SearchFilter, SearchState } from './search-filter.ts'

/** What a person typed at one filter. `value` is not empty. */
type Typed = { value: string; is_excluded: boolean; now: Date }
/** `mended`: a filter that was probably meant. */
type Hint = { hint: string; mended?: string }
export type ReadFilter = { filter: SearchFilter; means: string } | Hint

export const search_keys = ['channel', 'group', 'before', 'after', 'longer', 'shorter', 'on', 'is'] as const
export type SearchKey = (typeof search_keys)[number]

export const isSearchKey = (text: string): text is SearchKey => (search_keys as readonly string[]).includes(text)

export function readFilter(key: SearchKey, typed: Typed): ReadFilter {
  if (key === 'channel' || key === 'group') return named(key, typed)
  if (key === 'before' || key === 'after') return dated(key, typed)
  if (key === 'longer' || key === 'shorter') return lasting(key, typed)
  return key === 'on' ? onDisk(typed) : inState(typed)
}

/** What to type after a key. */
export const next_hints: Record<SearchKey, string> = {
  channel: 'Type part of the name of a channel: channel:kitchen, or channel:"slow kitchen".',
  group: 'Type part of the name of a group: group:music, or group:"to learn".',
  before: 'Use a date or a time ago: before:2025, before:2025-04, before:2025-04-30 or before:30d.',
  after: 'Use a date or a time ago: after:2025, after:2025-04, after:2025-04-30 or after:30d.',
  longer: 'Use a length: longer:20m, longer:1h30m or longer:90s.',
  shorter: 'Use a length: shorter:20m, shorter:1h30m or shorter:90s.',
  on: 'Use on:disk.',
  is: 'Use is: with watched, unwatched, started, later, dismissed, live, short, queued, downloading or failed.',
}

const named = (key: 'channel' | 'group', { value: name, is_excluded }: Typed): ReadFilter => ({
  filter: { key, name, is_excluded },
  means: `${is_excluded ? `Not ${key}` : key === 'channel' ? 'Channel' : 'Group'}: ${name}`,
})

function dated(key: 'before' | 'after', { value, is_excluded, now }: Typed): ReadFilter {
  const read = timeAgo(value, now) ?? dayOf(value)
  if (!read) return { hint: next_hints[key] }
  // Not before a time is the same as after it.
  const is_before = (key === 'before') !== is_excluded
  return { filter: { key, at: read.at, is_excluded }, means: is_before ? read.before : read.after }
}

function lasting(key: 'longer' | 'shorter', { value, is_excluded }: Typed): ReadFilter {
  const [, hours, minutes, seconds_typed] =
    /^(?:(\d{1,4})h)?(?:(\d{1,5})(?:m|min|$))?(?:(\d{1,6})s)?$/i.exec(value) ?? []
  if (hours === undefined && minutes === undefined && seconds_typed === undefined) return { hint: next_hints[key] }
  const seconds = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds_typed ?? 0)
  return {
    filter: { key, seconds, is_excluded },
    means: `${is_excluded ? `Not ${key}` : key === 'longer' ? 'Longer' : 'Shorter'} than ${lengthWords(seconds)}`,
  }
}

/** "1 h 30 min". */
function lengthWords(seconds: number): string {
  const parts = [`${Math.floor(seconds / 3600)} h`, `${Math.floor(seconds / 60) % 60} min`, `${seconds % 60} s`]
  return parts.filter(part => !part.startsWith('0 ')).join(' ') || '0 s'
}

function onDisk({ value, is_excluded }: Typed): ReadFilter {
  if (value.toLowerCase() === 'disk') return state('on_disk', is_excluded)
  return nearest(value, ['disk']) ? mended(is_excluded, 'on:disk') : { hint: next_hints.on }
}

function inState({ value, is_excluded }: Typed): ReadFilter {
  const given = value.toLowerCase()
  if (given === 'unwatched') return state('watched', !is_excluded)
  const known = states.find(name => name === given)
  if (known) return state(known, is_excluded)
  const meant = other_words.get(given)
  if (meant) return mended(is_excluded, meant)
  const near = nearest(given, is_values)
  return near ? mended(is_excluded, `is:${near}`) : { hint: next_hints.is }
}

const mended = (is_excluded: boolean, filter: string): Hint => {
  const whole = `${is_excluded ? '-' : ''}${filter}`
  return { hint: `Did you mean ${whole}?`, mended: whole }
}

const state = (name: SearchState, is_excluded: boolean): ReadFilter => ({
  filter: { key: 'is', state: name, is_excluded },
  means: state_words[name][is_excluded ? 1 : 0],
})

const state_words: Record<SearchState, [is: string, is_not: string]> = {
  on_disk: ['On disk', 'Not on disk'],
  watched: ['Watched', 'Unwatched'],
  started: ['Started', 'Not started'],
  later: ['In Watch later', 'Not in Watch later'],
  dismissed: ['Marked “Not for me”', 'Not marked “Not for me”'],
  live: ['Live streams', 'No live streams'],
  short: ['Shorts', 'No Shorts'],
  queued: ['Queued', 'Not queued'],
  downloading: ['Downloading', 'Not downloading'],
  failed: ['Failed', 'Not failed'],
}
const states = (Object.keys(state_words) as SearchState[]).filter(name => name !== 'on_disk')

/** What may follow `is:`, the most useful first. */
export const is_values = [
  'unwatched',
  'watched',
  'started',
  'later',
  'short',
  'live',
  'downloading',
  'queued',
  'failed',
  'dismissed',
] as const

/** Words that other programs use for these. */
const other_words = new Map([
  ['seen', 'is:watched'],
  ['unseen', 'is:unwatched'],
  ['new', 'is:unwatched'],
  ['shorts', 'is:short'],
  ['downloaded', 'on:disk'],
])
