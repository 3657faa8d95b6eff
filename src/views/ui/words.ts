/** Numbers, times and addresses as words, and the paths of pages. */
import type { Progress } from '../../schema/downloads/download.ts'
import { isAutomatic, withoutPart } from '../../schema/sources/subtitles.ts'

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

/** "42% · 1:10 left", without the parts that are not known. */
export function progressWords(progress: Progress | null): string {
  if (progress === null || progress.phase === 'preparing') return 'Starting'
  if (progress.phase === 'processing') return 'Finishing…'
  if (progress.phase === 'merging') return 'Merging…'
  const { percent, eta_seconds, downloaded_bytes } = progress
  if (progress.phase === 'converting') return percent === null ? 'Converting' : `Converting · ${Math.floor(percent)}%`
  if (percent === null) return downloaded_bytes === null ? 'Downloading' : `${bytesWords(downloaded_bytes)} so far`
  return `${Math.floor(percent)}%${eta_seconds === null ? '' : ` · ${durationWords(eta_seconds)} left`}`
}

/** "310 of 738 MB · 6.1 MB/s": where there is room for it; `undefined` unless it is being received. */
export function transferWords(progress: Progress | null): string | undefined {
  if (progress?.phase !== 'downloading' || progress.downloaded_bytes === null) return undefined
  const { downloaded_bytes, total_bytes, speed } = progress
  const [got, total] = [bytesWords(downloaded_bytes), total_bytes === null ? '' : bytesWords(total_bytes)]
  // One unit is enough where both have the same.
  const short = unitOf(got) === unitOf(total) ? got.slice(0, -unitOf(got).length - 1) : got
  return [total ? `${short} of ${total}` : got, speed ? `${bytesWords(speed)}/s` : ''].filter(Boolean).join(' · ')
}
const unitOf = (words: string) => words.slice(words.indexOf(' ') + 1)

/** "Up next", "Queued, #6", "Queued"; 1 is the next. Far back the number says little and changes often. */
export const placeWords = (place: number): string =>
  place === 1 ? 'Up next' : place <= last_numbered ? `Queued, #${place}` : 'Queued'

/** The last place in the queue that is shown as a number. */
export const last_numbered = 10

/** "1 min 11 s", "2 h 5 min": the two largest units. */
export function secondsWords(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const parts = [`${Math.floor(whole / 3600)} h`, `${Math.floor(whole / 60) % 60} min`, `${whole % 60} s`]
  const first = parts.findIndex(part => !part.startsWith('0 '))
  return first < 0
    ? '0 s'
    : parts
        .slice(first, first + 2)
        .filter(part => !part.startsWith('0 '))
        .join(' ')
}

/** The button that protects a file from the retention rule of its channel, or ends the protection. */
export const keepWords = (is_pinned: boolean): string => (is_pinned ? 'Allow auto-delete' : 'Keep forever')

/** "Brazilian Portuguese" for `pt-BR`, "English (automatic)" for `en-x-auto`. What is not a language tag is returned as it is. */
export function languageWords(language: string): string {
  if (isAutomatic(language)) return `${languageWords(withoutPart(language))} (automatic)`
  try {
    return languages.of(language.replaceAll('_', '-')) ?? language
  } catch {
    return language
  }
}

const languages = new Intl.DisplayNames(['en'], { type: 'language' })

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

/** "24 hours", "3 days". */
export const hoursWords = (hours: number): string =>
  hours >= 48 && hours % 24 === 0 ? countWords(hours / 24, 'day') : countWords(hours, 'hour')

/** "1,204". `Intl` is needed for the commas only, and takes most of the time. */
export const numberWords = (count: number): string => (count < 1000 ? String(count) : grouped.format(count))

const grouped = new Intl.NumberFormat('en')

/** "youtube.com" for an address of that site. */
export const siteWords = (url: string): string => new URL(url).hostname.replace(/^www\./, '')

/** The first letter of a name, shown where there is no picture. */
export const initialOf = (name: string): string => name.match(/[\p{L}\p{N}]/u)?.[0].toUpperCase() ?? '·'
