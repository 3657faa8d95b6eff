/** Finds the time of day in a date, with AM or PM and the time zone, and returns the text without them. Pure. */
import { halfOf } from './words.ts'

export type Time = { hour: number; minute: number; second: number }

type Clock = Time & {
  zone: Zone
  /** It is written with AM or PM. */
  is_half: boolean
  /** False when something next to the time may change its meaning: then only the day counts. */
  is_readable: boolean
  /** False for 25:00. */
  is_possible: boolean
}

/** `clock` is undefined when the text has no time. */
export function clockIn(text: string): { clock?: Clock; rest: string } {
  const found = digits.exec(text) ?? compact.exec(text) ?? bare_half.exec(text) ?? afterDate(text)
  if (!found) return { rest: text }
  const { index, 0: all, groups: { hour = '0', minute = '0', second = '0' } = {} } = found
  const before = text.slice(0, index)
  const behind = tailOf(text.slice(index + all.length), /\d/.test(before))
  const [lead, half_before] = halfBefore(before)
  const half = behind.half ?? half_before
  const given = { hour: Number(hour), minute: Number(minute), second: Number(second) }
  const fits = half === undefined || halfFits(given.hour, half)
  const isClear = behind.is_clear || (behind.is_whole_day_clear && (given.hour > 12 || half !== undefined))
  return {
    clock: {
      ...given,
      hour: half && fits ? inHalf(given.hour, half.is_pm) : given.hour,
      zone: behind.zone,
      is_half: half !== undefined,
      is_readable: fits && isClear && isPossible(given),
      is_possible: isPossible(given),
    },
    rest: `${lead} ${behind.rest}`,
  }
}

/** Not after a plus or minus, where it is an offset. */
const digits = /(?<![\d:+.-])(?<!\d[+-])(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,]\d{1,9})?)?(?![\d:])/
/** `20200110T143300Z`, `2020-01-10T1433`, and the last six of `20200110143300`. */
const compact =
  /(?:(?<=\d)T|(?<=^\d{8})(?=\d{6}(?!\d)))(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)?(?:[.,]\d{1,9})?(?=[Z+-]|\s|$)/i
/** `3 pm` */
const bare_half = /(?<![\d:.])(?<hour>\d{1,2})(?=\s?[ap]\.?\s?m\b)/i

/** `20 Nov 2026, 15.54`, `20/11/2026 16h04`: digits that mean a time only after a complete date. */
function afterDate(text: string): RegExpExecArray | null {
  const date = /\d{4},?(?:\s+-)?(?:\s+(?:klo?|pukul|um|om|at|(?:alle )?ore|ob|[uovwàa]|à[sl]|a las|в|о)\.?)?\s+/iu.exec(
    text,
  )
  const time =
    /(?<hour>\d{1,2})(?:\.(?<minute>\d\d)(?:\.(?<second>\d\d))?|\s?h(?!\p{L}))(?![\d.])|(?<hour>\d{1,2})\s?h\s?(?<minute>\d\d)(?!\d)/iuy
  time.lastIndex = date ? date.index + date[0].length : text.length
  return time.exec(text)
}

type Half = { is_pm: boolean; is_vague: boolean }

/** 13:05 PM is a 24-hour time with a needless word; 13:05 AM is an error. "Evening" at 12 may mean midnight. */
const halfFits = (hour: number, { is_pm, is_vague }: Half) =>
  is_vague ? hour >= 1 && hour < 12 : hour <= 12 || (is_pm && hour < 24)

const inHalf = (hour: number, is_pm: boolean) => (hour > 12 ? hour : (hour % 12) + (is_pm ? 12 : 0))

/** Hour 24 is the next midnight, second 60 a leap second. */
export const isPossible = ({ hour, minute, second }: Time): boolean =>
  (hour < 24 || (hour === 24 && minute + second === 0)) && minute < 60 && second <= 60

/** East Asia writes AM and PM before the time. A word in Latin letters counts only with a point, like Hungarian `de.`. */
function halfBefore(before: string): [string, Half | undefined] {
  const [all, word = ''] = /(\p{L}[\p{L}.]{0,20})\s*$/u.exec(before) ?? []
  const half = all && (/[.]$/.test(word) || /[^\p{Script=Latin}.]/u.test(word)) ? halfOf(word) : undefined
  return half && all ? [before.slice(0, -all.length), half] : [before, undefined]
}

type Tail = {
  half: Half | undefined
  zone: Zone
  rest: string
  is_clear: boolean
  /** A word follows that may be a "PM" we do not know. */
  is_whole_day_clear: boolean
}

/** Reads what follows a time. `is_last`: the date comes before the time, so a word here belongs to the time. */
function tailOf(text: string, is_last: boolean): Tail {
  const tail: Tail = { half: undefined, zone: undefined, rest: text, is_clear: true, is_whole_day_clear: true }
  for (let step = 0; step < 4; step++) {
    const half = tail.half ? undefined : halfAt(tail.rest)
    if (half) [tail.half, tail.rest] = half
    else {
      const filler = /^[\s,]*(?:uhr|h|hs|hrs|ч|г)(?!\p{L})\.?/iu.exec(tail.rest)
      if (!filler) break
      tail.rest = tail.rest.slice(filler[0].length)
    }
  }
  const zone = zoneAt(tail.rest)
  if (zone) {
    tail.zone = zone[0]
    // `(Central European Standard Time)` repeats the zone.
    tail.rest = zone[1].replace(/^\s*\([^()]*\)?/, '')
    tail.is_clear = tail.zone !== undefined
    tail.is_whole_day_clear = tail.is_clear
    return tail
  }
  const [, word] = /^[\s,]*(\p{L}[\p{L}.]*)/u.exec(tail.rest) ?? []
  if (word !== undefined && is_last) tail.is_clear = false
  if (/^\s?[+]|^-\d|^\s-\d\d\d/.test(tail.rest)) tail.is_clear = tail.is_whole_day_clear = false
  return tail
}

function halfAt(text: string): [Half, string] | undefined {
  const latin = /^\s?([ap])\.?\s?m\b\.?/i.exec(text)
  if (latin) return [{ is_pm: latin[1]?.toLowerCase() === 'p', is_vague: false }, text.slice(latin[0].length)]
  const [all, word = ''] = /^\s*(\p{L}[\p{L}.]{0,20})/u.exec(text) ?? []
  const half = all === undefined ? undefined : halfOf(word)
  return half && all !== undefined ? [half, text.slice(all.length)] : undefined
}

/** A zone of undefined is an offset that cannot be one. */
function zoneAt(text: string): [Zone, string] | undefined {
  const offset = /^\s?(?:(GMT|UTC|UT|Z)\s?)?([+-])\s?(\d{1,2})(?::?(\d\d))?(?::00)?(?![\d./:-])Z?/i.exec(text)
  if (offset) {
    const [all, , sign, hours = '', minutes = '0'] = offset
    const minutes_east = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
    const isPossible = Math.abs(minutes_east) <= 14 * 60 && Number(minutes) < 60
    return [isPossible ? { minutes_east } : undefined, text.slice(all.length)]
  }
  const place = /^\s?\(?([A-Z][A-Za-z_]{1,20}(?:\/[A-Za-z][A-Za-z_+-]{0,30}\d{0,2}){1,2})/.exec(text)
  if (place?.[1]) return [{ name: place[1] }, text.slice(place[0].length)]
  const [all, name = '', glued] = /^\s?\(?(\p{L}{1,8})(?![\p{L}.])([+-]\d)?/u.exec(text) ?? []
  if (all === undefined || glued !== undefined) return glued === undefined ? undefined : gluedZone(text)
  return isKnownZone(name) || /^[A-Z]{1,6}$/.test(name) ? [{ name }, text.slice(all.length)] : undefined
}

/** `EDT-0400` gives the offset twice. The meaning of forms such as `MSK+2` is not certain. */
function gluedZone(text: string): [Zone, string] | undefined {
  const [all = '', number] = /^\s?\(?\p{L}{1,8}([+-]\d{2}:?\d\d)?[+\-\d:]*/u.exec(text) ?? []
  return number ? zoneAt(number) && [zoneAt(number)?.[0], text.slice(all.length)] : [undefined, text.slice(all.length)]
}

/** A time zone as dates write it: a numeric offset or a name. */
type Zone = { minutes_east: number } | { name: string } | undefined

/**
 * A time zone in minutes east of Greenwich. `local`: the local time, written as if in UTC, which decides between summer and winter time. An
 * unknown name counts as UTC.
 */
export function minutesEastOf(zone: Zone, local: Date): number {
  if (zone === undefined) return 0
  if ('minutes_east' in zone) return zone.minutes_east
  const name = zone.name.toUpperCase()
  const hours = hours_east[name]
  if (hours !== undefined) return hours * 60
  const place = places[name] ?? (name.includes('/') ? zone.name : undefined)
  return (place === undefined ? undefined : minutesEastIn(place, local)) ?? 0
}

const isKnownZone = (name: string): boolean =>
  Object.hasOwn(hours_east, name.toUpperCase()) || Object.hasOwn(places, name.toUpperCase()) || name.includes('/')

/** Undefined for a place that is not in the time zone database. */
function minutesEastIn(place: string, local: Date): number | undefined {
  const format = formatFor(place)
  if (!format) return undefined
  // Twice, because the first offset may be from before or after a clock change.
  const first = offsetAt(format, local.getTime())
  return offsetAt(format, local.getTime() - first * 60_000)
}

function offsetAt(format: Intl.DateTimeFormat, moment: number): number {
  const name = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes = '0'] = /([+-])(\d\d):?(\d\d)?/.exec(name) ?? []
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

const formats = new Map<string, Intl.DateTimeFormat | undefined>()
/** A feed uses one or two. Each takes memory, so a document full of different zones must not keep all of them. */
const max_formats = 64

function formatFor(place: string): Intl.DateTimeFormat | undefined {
  if (formats.has(place)) return formats.get(place)
  if (formats.size >= max_formats) formats.clear()
  let format: Intl.DateTimeFormat | undefined
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: place, timeZoneName: 'longOffset' })
  } catch {
    format = undefined
  }
  formats.set(place, format)
  return format
}

/** Names with another offset in summer. */
const places: Record<string, string> = {
  AT: 'America/Halifax',
  ET: 'America/New_York',
  EASTERN: 'America/New_York',
  CT: 'America/Chicago',
  CENTRAL: 'America/Chicago',
  MT: 'America/Denver',
  MOUNTAIN: 'America/Denver',
  PT: 'America/Los_Angeles',
  PACIFIC: 'America/Los_Angeles',
}

/** A name with several meanings has the one that feeds use most: IST is India's, CST and PST are America's. */
const names_by_hours_east: [hours: number, names: string][] = [
  [-10, 'HST'],
  [-9, 'AKST'],
  [-8, 'PST AKDT'],
  [-7, 'MST PDT'],
  [-6, 'CST MDT'],
  [-5, 'EST CDT COT PET'],
  [-4, 'AST EDT CLT VET'],
  [-3.5, 'NST'],
  [-3, 'ADT BRT ART CLST UYT'],
  [-2.5, 'NDT'],
  [-2, 'BRST'],
  [0, 'Z UT UTC GMT WET'],
  [1, 'WEST BST CET MET MEZ SEČ WAT'],
  [2, 'CEST MEST MESZ SELČ EET SAST CAT'],
  [3, 'EEST IDT MSK МСК TRT EAT'],
  [4, 'MSD GST'],
  [5, 'PKT'],
  [5.5, 'IST'],
  [5.75, 'NPT'],
  [7, 'ICT WIB'],
  [8, 'WITA SGT HKT PHT MYT AWST'],
  [9, 'WIT JST KST'],
  [9.5, 'ACST'],
  [10, 'AEST'],
  [10.5, 'ACDT'],
  [11, 'AEDT'],
  [12, 'NZST'],
  [13, 'NZDT'],
]

const hours_east: Record<string, number> = Object.fromEntries(
  names_by_hours_east.flatMap(([hours, names]) => names.split(' ').map(name => [name, hours])),
)
