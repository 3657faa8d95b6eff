/** Times of day and days, by the clock of a time zone. Pure. */

/** "2026-11-27" and "23:05". A zone that this machine does not know counts as UTC. */
export function localTime(at: Date, time_zone: string): { day: string; time: string } {
  const [day = '', time = ''] = formatIn(time_zone).format(at).split(' ')
  return { day, time }
}

/** Times such as "22:30"; `to` may be "24:00". Goes over midnight if `from` is the later one. */
export type Span = { from: string; to: string }

/** Whether a time of day is in the span. A span that begins when it ends has no time in it. */
export const isIn = ({ from, to }: Span, time: string): boolean =>
  from <= to ? from <= time && time < to : time >= from || time < to

/** Whether this machine knows the zone. An offset is no zone: it knows no daylight saving time. */
export const isTimeZone = (name: string): boolean =>
  name.length <= 64 && /^[A-Z]/i.test(name) && makeFormat(name) !== undefined

const formats = new Map<string, Intl.DateTimeFormat>()

/** Swedish writes dates and times as ISO 8601 does. To make a format takes most of the time, and there are about 600 names of zones. */
function formatIn(time_zone: string): Intl.DateTimeFormat {
  const known = formats.get(time_zone)
  if (known) return known
  const format = makeFormat(time_zone) ?? formatIn('UTC')
  formats.set(time_zone, format)
  return format
}

function makeFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'short', timeZone })
  } catch {
    return undefined
  }
}
