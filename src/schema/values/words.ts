/** Numbers, bytes, lengths, dates and times as words for people. Pure. */

/** "214 MB": powers of 1000, as disks are sold. One decimal below ten, none above. */
export function bytesWords(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const amount = bytes / 1000 ** step
  return `${step > 0 && amount < 9.95 ? amount.toFixed(1) : Math.round(amount)} ${units[step]}`
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB']

/** "1:10", "1:02:03". */
export function durationWords(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (part: number) => String(part).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** "1 hour 2 minutes 33 seconds", for screen readers. */
export function spokenDuration(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600), 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [Math.round(seconds) % 60, 'second'],
  ] as const
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => countWords(count, unit))
    .join(' ')
}

/** "1 min 11 s", "2 h 5 min": the largest units, at most `most_units` of them. */
export function secondsWords(seconds: number, most_units = 2): string {
  const whole = Math.max(0, Math.round(seconds))
  const parts = [`${Math.floor(whole / 3600)} h`, `${Math.floor(whole / 60) % 60} min`, `${whole % 60} s`]
  const first = parts.findIndex(part => !part.startsWith('0 '))
  return first < 0
    ? '0 s'
    : parts
        .slice(first, first + most_units)
        .filter(part => !part.startsWith('0 '))
        .join(' ')
}

/** "5 minutes", "1.5 minutes", "90 minutes", "2 hours": a limit as a person sets it. */
export function lengthWords(seconds: number): string {
  const minutes = Math.round((seconds / 60) * 100) / 100
  if (minutes >= 120 && minutes % 60 === 0) return `${minutes / 60} hours`
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}

/** "3 hours ago", "in 2 minutes", "just now": relative, because the server does not know the reader's time zone. */
export function relativeWords(date: Date, now: Date): string {
  const seconds = (date.getTime() - now.getTime()) / 1000
  const span = longestSpan(Math.abs(seconds))
  if (span === undefined) return seconds > 0 ? 'in a moment' : 'just now'
  return seconds > 0 ? `in ${span}` : `${span} ago`
}

const spans = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const
/** A shorter time is "just now" or "in a moment". */
const a_moment_s = 10

/** "3 hours", "1 day": the time since `since`, in the largest unit that fits. */
export const spanWords = (since: Date, now: Date): string =>
  longestSpan((now.getTime() - since.getTime()) / 1000) ?? 'a moment'

/** In the largest unit that fits; `undefined`: a moment. */
function longestSpan(seconds: number): string | undefined {
  const span = seconds < a_moment_s ? undefined : spans.find(([, length]) => seconds >= length)
  return span && countWords(Math.trunc(seconds / span[1]), span[0])
}

/** "20 November 2026", in UTC. `Intl` is ten times slower, and a page shows a date per video. */
export const dateWords = (date: Date): string =>
  `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`

/** "November 2026", in UTC. */
export const monthWords = (date: Date): string => `${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** Exactly: "20 November 2026 at 14:05 UTC". */
export const momentWords = (date: Date): string => `${dateWords(date)} at ${date.toISOString().slice(11, 16)} UTC`

/** "in 3 hours"; from one day on "on 23 Nov", with the year if it is another one. In UTC. */
export function whenWords(date: Date, now: Date): string {
  if (date.getTime() - now.getTime() < 24 * 3_600_000) return relativeWords(date, now)
  const words = day_format.format(date)
  return date.getUTCFullYear() === now.getUTCFullYear() ? `on ${words}` : `on ${words} ${date.getUTCFullYear()}`
}

const day_format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** "10 files deleted (49 MB)." Not "freed": files in the bin still take their space. */
export const deletedFilesWords = (files: number, bytes: number): string =>
  `${countWords(files, 'file')} deleted (${bytesWords(bytes)}).`

/** "1 video", "1,204 videos". */
export const countWords = (count: number, one: string, many = `${one}s`): string =>
  `${numberWords(count)} ${count === 1 ? one : many}`

/** "Paused" for "paused". */
export const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** "24 hours", "3 days". */
export const hoursWords = (hours: number): string =>
  hours >= 48 && hours % 24 === 0 ? countWords(hours / 24, 'day') : countWords(hours, 'hour')

/** "1,204". `Intl` is needed for the commas only, and takes most of the time. */
export const numberWords = (count: number): string => (count < 1000 ? String(count) : grouped.format(count))

const grouped = new Intl.NumberFormat('en')

/**
 * A name for a sentence: one that is read from right to left must not reorder the words around it. In an element, use `<bdi>` instead. A
 * name that cannot reorder anything stays as it is, easy to copy and compare. Isolates within the name would end this one too early.
 */
export const isolated = (name: string): string =>
  can_reorder.test(name) ? `\u2068${name.replaceAll(/[\u2066-\u2069]/g, '')}\u2069` : name

/** Letters that are read from right to left, and characters that set the direction. */
const can_reorder =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
