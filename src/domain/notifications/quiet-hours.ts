/** Times of day and days, by the clock of a person's time zone. Pure. */
import type { QuietHours } from '../../schema/notifications/quiet-hours.ts'

/** Whether the person wants no message now. Hours that begin when they end are none. */
export function isQuiet(
  { quiet_from, quiet_to, time_zone }: Pick<QuietHours, 'quiet_from' | 'quiet_to' | 'time_zone'>,
  at: Date,
): boolean {
  if (quiet_from === null || quiet_to === null) return false
  const { time } = localTime(at, time_zone)
  return quiet_from <= quiet_to ? quiet_from <= time && time < quiet_to : time >= quiet_from || time < quiet_to
}

/** "2026-11-27" and "23:05". A zone that this machine does not know counts as UTC. */
export function localTime(at: Date, time_zone: string): { day: string; time: string } {
  const [day = '', time = ''] = formatIn(time_zone).format(at).split(' ')
  return { day, time }
}

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
