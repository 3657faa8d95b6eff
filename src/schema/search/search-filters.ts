/**
 * The filters of a search: what they limit, what a person types for them, and their meaning in words, or a hint. `search-language.ts` finds
 * filters among the words of a search; the database applies them. Pure.
 */
import { secondsWords } from '../values/words.ts'

export type SearchState = keyof typeof state_words

type Limit =
  /** Part of the name, in any case, or the whole identifier. */
  | { key: 'channel' | 'group'; name: string }
  /** When the video was published: earlier than `at`, or at it and later. */
  | { key: 'before' | 'after'; at: Date }
  /** A video of unknown length is neither longer nor shorter. */
  | { key: 'longer' | 'shorter'; seconds: number }
  /** `started`: played in part, not watched. `later`: on Watch later. `dismissed`: hidden. */
  | { key: 'is'; state: SearchState }

/**
 * All limits of a search must hold; of several channels, or several groups, one is enough. `is_excluded`: the videos that do not fit
 * the limit.
 */
export type SearchFilter = Limit & { is_excluded: boolean }

/** What a person typed at one filter. `value` is not empty. */
type Typed = { value: string; is_excluded: boolean; now: Date }
/** `mended`: a filter that was probably meant. */
type Hint = { hint: string; mended?: string }
type ReadFilter = { filter: SearchFilter; means: string } | Hint

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
  is: 'Use is: with watched, unwatched, started, later, hidden, live, short, queued, downloading or failed.',
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
    means: `${is_excluded ? `Not ${key}` : key === 'longer' ? 'Longer' : 'Shorter'} than ${secondsWords(seconds, 3)}`,
  }
}

function onDisk({ value, is_excluded }: Typed): ReadFilter {
  if (value.toLowerCase() === 'disk') return state('on_disk', is_excluded)
  return nearest(value, ['disk']) ? mended(is_excluded, 'on:disk') : { hint: next_hints.on }
}

function inState({ value, is_excluded }: Typed): ReadFilter {
  const given = value.toLowerCase()
  if (given === 'unwatched') return state('watched', !is_excluded)
  if (given === 'hidden') return state('dismissed', is_excluded)
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

const state_words = {
  on_disk: ['On disk', 'Not on disk'],
  watched: ['Watched', 'Unwatched'],
  started: ['Started', 'Not started'],
  later: ['In Watch later', 'Not in Watch later'],
  dismissed: ['Hidden', 'Not hidden'],
  live: ['Live streams', 'No live streams'],
  short: ['Shorts', 'No Shorts'],
  queued: ['Queued', 'Not queued'],
  downloading: ['Downloading', 'Not downloading'],
  failed: ['Failed', 'Not failed'],
} satisfies Record<string, [is: string, is_not: string]>
/** `is:dismissed` is the former word for `is:hidden`. */
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
  'hidden',
] as const

/** Words that other programs use for these. */
const other_words = new Map([
  ['seen', 'is:watched'],
  ['unseen', 'is:unwatched'],
  ['new', 'is:unwatched'],
  ['shorts', 'is:short'],
  ['downloaded', 'on:disk'],
])

/** A date or a time ago, with its meaning in words. */
type DatedValue = {
  at: Date
  /** "Before April 2025", "Older than 7 days". */
  before: string
  /** At that time or later: "Since April 2025", "In the last 7 days". */
  after: string
}

/** `7d`, `2w`, `3m`, `1y`: before now. */
function timeAgo(value: string, now: Date): DatedValue | undefined {
  const [, digits, unit] = /^(\d{1,3})([dwmy])$/i.exec(value) ?? []
  const [word, days, months] = units[unit?.toLowerCase() ?? ''] ?? []
  if (!word || days === undefined || months === undefined) return undefined
  const count = Number(digits)
  const at = new Date(now.getTime() - count * days * 86_400_000)
  at.setUTCMonth(at.getUTCMonth() - count * months)
  // One month before 31 March is the last day of February.
  if (months > 0 && at.getUTCDate() !== now.getUTCDate()) at.setUTCDate(0)
  const span = `${count} ${word}${count === 1 ? '' : 's'}`
  return { at, before: `Older than ${span}`, after: `In the last ${span}` }
}

/** The word, and how many days and months one of them is. */
const units: Record<string, [string, number, number]> = {
  d: ['day', 1, 0],
  w: ['week', 7, 0],
  m: ['month', 0, 1],
  y: ['year', 0, 12],
}

/** The beginning of a year, a month or a day, in UTC: `2025`, `2025-04`, `2025-04-30`. */
function dayOf(value: string): DatedValue | undefined {
  const [, year, month, date] = /^([1-9]\d{3})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(value) ?? []
  const at = new Date(Date.UTC(Number(year), Number(month ?? 1) - 1, Number(date ?? 1)))
  // `Date.UTC` takes 30 February for 2 March.
  const is_real = at.getUTCMonth() + 1 === Number(month ?? 1) && at.getUTCDate() === Number(date ?? 1)
  if (!is_real) return undefined
  const words = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    year: 'numeric',
    ...(month && { month: 'long' }),
    ...(date && { day: 'numeric' }),
  }).format(at)
  return { at, before: `Before ${words}`, after: `Since ${words}` }
}

/** The word that a person probably meant: `typed` begins it, or is one letter away from it, in any case; `undefined`: none. */
export function nearest<Word extends string>(typed: string, words: readonly Word[]): Word | undefined {
  const given = typed.toLowerCase()
  return words.find(word => given !== '' && word.startsWith(given)) ?? words.find(word => isOneOff(given, word))
}

/** Whether one letter is missing, too many or another one, or two are swapped. */
export function isOneOff(typed: string, word: string): boolean {
  const given = typed.toLowerCase()
  let start = 0
  while (start < given.length && given[start] === word[start]) start++
  let end = 0
  while (end < Math.min(given.length, word.length) - start && given.at(-1 - end) === word.at(-1 - end)) end++
  const [more, less] = [given.slice(start, given.length - end), word.slice(start, word.length - end)]
  if (more.length + less.length === 0) return false
  if (more.length <= 1 && less.length <= 1) return true
  return more.length === 2 && less.length === 2 && more[0] === less[1] && more[1] === less[0]
}
