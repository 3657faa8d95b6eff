/** Converts the time zones that feeds name into minutes east of Greenwich. Pure. */

/** A time zone as dates write it: a numeric offset or a name. */
export type Zone = { minutes_east: number } | { name: string } | undefined

/** `local`: the local time, written as if in UTC; it decides between summer and winter time. An unknown name counts as UTC. */
export function minutesEastOf(zone: Zone, local: Date): number {
  if (zone === undefined) return 0
  if ('minutes_east' in zone) return zone.minutes_east
  const name = zone.name.toUpperCase()
  const hours = hours_east[name]
  if (hours !== undefined) return hours * 60
  const place = places[name] ?? (name.includes('/') ? zone.name : undefined)
  return (place === undefined ? undefined : minutesEastIn(place, local)) ?? 0
}

export const isKnownZone = (name: string): boolean =>
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
const hours_east: Record<string, number> = {
  ...{ Z: 0, UT: 0, UTC: 0, GMT: 0, WET: 0, WEST: 1, BST: 1, CET: 1, CEST: 2, MET: 1, MEST: 2, MEZ: 1, MESZ: 2 },
  ...{ SEČ: 1, SELČ: 2, EET: 2, EEST: 3, IDT: 3, MSK: 3, МСК: 3, MSD: 4, TRT: 3, SAST: 2, CAT: 2, EAT: 3, WAT: 1 },
  ...{ GST: 4, PKT: 5, IST: 5.5, NPT: 5.75, ICT: 7, WIB: 7, WITA: 8, WIT: 9, SGT: 8, HKT: 8, PHT: 8, MYT: 8, AWST: 8 },
  ...{ JST: 9, KST: 9, ACST: 9.5, ACDT: 10.5, AEST: 10, AEDT: 11, NZST: 12, NZDT: 13 },
  ...{ NST: -3.5, NDT: -2.5, AST: -4, ADT: -3, EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
  ...{
    AKST: -9,
    AKDT: -8,
    HST: -10,
    BRT: -3,
    BRST: -2,
    ART: -3,
    CLT: -4,
    CLST: -3,
    COT: -5,
    PET: -5,
    UYT: -3,
    VET: -4,
  },
}
