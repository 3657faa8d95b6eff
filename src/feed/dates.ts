/** A date as feeds write it → a moment in UTC. `Date.parse` alone would read what it does not know as local time. Pure. */

/** Undefined for what is no date, or no possible one. Without a zone, UTC. */
export function dateOf(text: string | undefined): Date | undefined {
  const given = text?.trim().slice(0, 100) ?? ''
  // Seconds or milliseconds since 1970.
  if (/^\d{10}(\d{3})?$/.test(given)) return new Date(Number(given.padEnd(13, '0')))
  const found = shapes.map(shape => shape(given)).find(parts => parts !== undefined)
  if (!found) return undefined
  const { year, month, day, hour = 0, minute = 0, second = 0, offset_minutes = 0 } = found
  const time = new Date(0)
  time.setUTCFullYear(year, month - 1, day)
  time.setUTCHours(hour, minute - offset_minutes, second)
  const isPossible = month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour <= 24 && minute < 60 && second <= 60
  // Years that Postgres and an ISO string both write in four digits.
  return isPossible && time.getUTCFullYear() >= 1 && time.getUTCFullYear() <= 9999 ? time : undefined
}

type Parts = {
  year: number
  /** 1–12 */
  month: number
  day: number
  hour?: number
  minute?: number
  second?: number
  offset_minutes?: number
}

const clock = String.raw`(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?\s*([ap]m\b)?`
const zone = String.raw`\s*([+-]\d\d:?\d\d|[+-]\d\d|[A-Za-z]{1,5})?`

/** RFC 3339 and W3C-DTF: `2026-11-20T10:00:00Z`, `2026-11`, `2026/11/20 10:00`. */
function iso(text: string): Parts | undefined {
  const found = new RegExp(`^(\\d{4})(?:[-/]?(\\d\\d)(?:[-/]?(\\d\\d))?)?(?!\\d)(?:[Tt\\s]+${clock}${zone})?`).exec(
    text,
  )
  if (!found || (found[2] === undefined && text.length > 4)) return undefined
  const [, year, month = '1', day = '1'] = found
  return { year: Number(year), month: Number(month), day: Number(day), ...timeOf(found.slice(4)) }
}

/** RFC 822 and everything near it: `Fri, 20 Nov 2026 10:00:00 GMT`, `20-Nov-26`. */
function dayFirst(text: string): Parts | undefined {
  const shape = `^(?:\\p{L}+\\.?,?\\s*)?(\\d{1,2})(?:st|nd|rd|th)?[\\s-]+(\\p{L}+)\\.?,?[\\s-]+(\\d{2,4})(?:,?\\s+${clock}${zone})?`
  const found = new RegExp(shape, 'u').exec(text)
  return found ? partsOf(found[1], found[2], found[3], found.slice(4)) : undefined
}

/** `Fri Nov 20 10:00:00 GMT 2026` and `November 20, 2026 10:00 am`. */
function monthFirst(text: string): Parts | undefined {
  const start = String.raw`^(?:\p{L}+\.?,?\s+)??(\p{L}+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+`
  const unix = new RegExp(`${start}${clock}${zone}\\s+(\\d{4})`, 'u').exec(text)
  if (unix) return partsOf(unix[2], unix[1], unix[8], unix.slice(3))
  const found = new RegExp(`${start}(\\d{4})(?:,?\\s+${clock}${zone})?`, 'u').exec(text)
  return found ? partsOf(found[2], found[1], found[3], found.slice(4)) : undefined
}

const shapes = [iso, dayFirst, monthFirst]

function partsOf(day = '', name = '', year = '', time: (string | undefined)[] = []): Parts | undefined {
  const month = months.findIndex(month => name.toLowerCase().startsWith(month)) + 1
  if (month === 0) return undefined
  const full = Number(year) + (year.length > 2 ? 0 : Number(year) < 70 ? 2000 : 1900)
  return { year: full, month, day: Number(day), ...timeOf(time) }
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

function timeOf([hour = '0', minute = '0', second = '0', half, zone]: (string | undefined)[]) {
  const twelve = half ? (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hour)
  return { hour: twelve, minute: Number(minute), second: Number(second), offset_minutes: offsetOf(zone) }
}

/** Minutes east of Greenwich; zones nobody knows count as UTC. */
function offsetOf(zone = 'Z'): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  if (sign) return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  return (hours_east[zone.toUpperCase()] ?? 0) * 60
}

const hours_east: Record<string, number> = {
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  AKST: -9,
  AKDT: -8,
  HST: -10,
  WEST: 1,
  BST: 1,
  CET: 1,
  CEST: 2,
  MEZ: 1,
  MESZ: 2,
  EET: 2,
  EEST: 3,
  MSK: 3,
  IST: 5.5,
  JST: 9,
  KST: 9,
  AEST: 10,
  AEDT: 11,
  NZST: 12,
  NZDT: 13,
}
