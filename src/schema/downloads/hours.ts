/**
 * When downloads run, and how fast: the operator's DOWNLOAD_HOURS and DOWNLOAD_RATE, by the clock on the wall of a time zone. Pure.
 *
 * Where the clock is set forward, a time of day that it skips does not occur that day: hours that begin within the skipped time begin at
 * the end of it, and hours that lie within it are left out. Where the clock is set back, the times that it repeats occur twice.
 */
import { isIn, localTime, type Span } from '../values/local-time.ts'

export type DownloadTimes = {
  /** DOWNLOAD_HOURS: in which downloads run. None: they run at any time. */
  hours: readonly Span[]
  /** DOWNLOAD_RATE: of the items that hold at a time, the first one counts. */
  rates: readonly Rate[]
  time_zone: string
}

/** `span`: `null` is at all times. `bytes_s`: bytes per second; 0: no limit. */
export type Rate = { span: Span | null; bytes_s: number }

export const any_time: DownloadTimes = { hours: [], rates: [], time_zone: 'UTC' }

/** When downloads begin to run; `undefined`: they run now. */
export function opensAt(times: Pick<DownloadTimes, 'hours' | 'time_zone'>, at: Date): Date | undefined {
  if (isOpen(times, at)) return undefined
  // A zone may skip a whole day, and hours may lie within the hour that a day skips.
  for (let minute = Math.floor(at.getTime() / minute_ms) + 1, n = 0; n < 4 * minutes_a_day; minute++, n++) {
    const next = new Date(minute * minute_ms)
    if (isOpen(times, next)) return next
  }
  throw new Error('these hours never begin')
}

const minute_ms = 60_000
const minutes_a_day = 1440

const isOpen = ({ hours, time_zone }: Pick<DownloadTimes, 'hours' | 'time_zone'>, at: Date): boolean => {
  if (hours.length === 0) return true
  const { time } = localTime(at, time_zone)
  return hours.some(span => isIn(span, time))
}

/** `opensAt` for times that follow each other: the minutes until the hours begin are counted once. */
export function openingsOf(times: DownloadTimes): (at: Date) => Date | undefined {
  let closed: { from: Date; opens_at: Date } | undefined
  return at => {
    if (closed && closed.from <= at && at < closed.opens_at) return closed.opens_at
    const opens_at = opensAt(times, at)
    closed = opens_at && { from: at, opens_at }
    return opens_at
  }
}

/** Bytes per second that all downloads of one worker process may take together; `undefined`: no limit. */
export function rateAt({ rates, time_zone }: Pick<DownloadTimes, 'rates' | 'time_zone'>, at: Date): number | undefined {
  if (rates.length === 0) return undefined
  const { time } = localTime(at, time_zone)
  const inHours = rates.find(({ span }) => span !== null && isIn(span, time))
  return (inHours ?? rates.find(({ span }) => span === null))?.bytes_s || undefined
}

/** "from 22:00 to 06:00", "from 01:00 to 06:00 and from 12:30 to 14:00". */
export const hoursWords = (hours: readonly Span[]): string =>
  new Intl.ListFormat('en').format(hours.map(({ from, to }) => `from ${from} to ${to}`))
