/**
 * Reads dates as feeds write them, as moments in UTC. A date with two possible meanings is not guessed. Pure.
 *
 * Month names come from `Intl`, in 40 languages. The weekday, or a point after the day, decides dates that two
 * languages read differently. `3/5/2019` is decided by its weekday, else by the other dates of its feed, else the month
 * comes first, as in PHP's `strtotime`; with points or hyphens the day comes first. An unknown time zone counts as UTC.
 * An unreadable time leaves the day; for an impossible day, the entry's next date is used. This is our own parser
 * because of 103 odd dates, chrono-node and any-date-parser read 39 and 26 wrong.
 */
import { clockIn, isPossible, minutesEastOf, type Time } from './clock.ts'
import { type Day, dayIn, midnightOf, type Order, orderShownBy } from './days.ts'

/**
 * Undefined for text that is not a date, and for a date that does not exist, such as 30 February. A missing or unknown zone
 * counts as UTC. If the time cannot be read, the result is midnight UTC of the day.
 *
 * `order`: what `3/5/2019` means if it has no weekday. By default the month is first with slashes, as in PHP's `strtotime`, and the
 * day is first otherwise.
 */
export function dateOf(text: string | undefined, order?: Order): Date | undefined {
  const given = normalized(text ?? '')
  if (!/\d/.test(given)) return undefined
  return inUsualForm(given) ?? epoch(given) ?? written(given, order)
}

export type DateReader = (text: string | undefined) => Date | undefined

/** Reads the dates of one feed. A date with only one possible order decides the order of the others. */
export function dateReaderFor(texts: (string | undefined)[]): DateReader {
  const shown = new Set(texts.flatMap(text => (text ? (orderShownBy(normalized(text)) ?? []) : [])))
  const [order] = shown.size === 1 ? shown : []
  return text => dateOf(text, order)
}

/** A longer text is not a date, or a date with a remark after it. */
const normalized = (text: string): string => {
  const given = text.trim().slice(0, 100)
  return /^[\x20-\x7e]*$/.test(given) && !/thg/i.test(given) ? given : withoutScripts(given)
}

/** The text with ASCII punctuation and spaces, and with East Asian dates and times (`2004년 5월`, `11時23分`) in digits. */
const withoutScripts = (text: string): string =>
  text
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\u00a0\u2000-\u200a\u202f\u3000\t]/g, ' ')
    .replace(/(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号號]?/gu, '$1-$2-$3 ')
    .replace(
      /(\d{1,2})\s?[時点點时시]\s?(\d{1,2})\s?[分분](?:\s?(\d{1,2})\s?[秒초])?/gu,
      (_, ...counted: (string | undefined)[]) =>
        counted
          .slice(0, 3)
          .flatMap(count => (count ? [count.padStart(2, '0')] : []))
          .join(':'),
    )
    // Vietnamese numbers its months.
    .replace(/(\d{1,2}) (?:tháng|thg) (\d{1,2}),? (?:năm )?(\d{4})/giu, '$3-$2-$1 ')

/** RFC 3339 and RFC 822 as nearly all feeds write them. The general way below takes ten times as long. */
function inUsualForm(text: string): Date | undefined {
  const found = (iso.exec(text) ?? rfc.exec(text))?.groups
  const month = Number(found?.month ?? english.indexOf(found?.name ?? '') + 1)
  if (!found || month === 0) return undefined
  const { year, day, hour, minute, second, sign, east_hours, east_minutes } = found
  return momentOf(
    { year: Number(year), month, day: Number(day) },
    { hour: Number(hour), minute: Number(minute), second: Number(second) },
    minutesEast(sign, east_hours, east_minutes),
  )
}

const iso =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)T(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:\.\d{1,9})?(?:Z|(?<sign>[+-])(?<east_hours>0\d|1[0-3]):(?<east_minutes>[0-5]\d))$/
const rfc =
  /^[A-Z][a-z]{2}, (?<day>\d\d?) (?<name>[A-Z][a-z]{2}) (?<year>\d{4}) (?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d) (?:GMT|(?<sign>[+-])(?<east_hours>0\d|1[0-3])(?<east_minutes>[0-5]\d))$/

const english = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const minutesEast = (sign = '+', hours = '0', minutes = '0') =>
  (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))

/** Seconds or milliseconds since 1970. */
const epoch = (text: string): Date | undefined =>
  /^\d{10}(\d{3})?$/.test(text) ? new Date(Number(text.padEnd(13, '0'))) : undefined

function written(text: string, order: Order | undefined): Date | undefined {
  const { clock, rest } = clockIn(text)
  const day = dayIn(rest, order, clock?.is_half === true)
  if (!day) return undefined
  if (!clock?.is_readable) return clock?.is_possible === false ? undefined : momentOf(day, midnight, 0)
  const local = momentOf(day, clock, 0)
  return local && shifted(local, minutesEastOf(clock.zone, local))
}

const midnight: Time = { hour: 0, minute: 0, second: 0 }

/** Undefined when the day or the time does not exist. Hour 24 is the next midnight, second 60 a leap second. */
function momentOf(day: Day, time: Time, minutes_east: number): Date | undefined {
  const date = midnightOf(day)
  if (!date || !isPossible(time)) return undefined
  date.setUTCHours(time.hour, time.minute, time.second)
  return shifted(date, minutes_east)
}

/** Accepts only years that Postgres and ISO strings both write with four digits. .NET uses year 1 for a missing date. */
function shifted(date: Date, minutes_east: number): Date | undefined {
  const moment = new Date(date.getTime() - minutes_east * 60_000)
  return moment.getUTCFullYear() > 1 && moment.getUTCFullYear() <= 9999 ? moment : undefined
}
