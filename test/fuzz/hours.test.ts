/** Claims about any hours in which downloads run, in zones whose clocks change in different ways. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { openingsOf, opensAt } from '../../src/schema/downloads/hours.ts'
import { claim, few_runs } from './claims.ts'

const minute_ms = 60_000
const zone = fc.constantFrom(
  ...['UTC', 'Europe/Zurich', 'America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia'],
)
const two = (number: number) => String(number).padStart(2, '0')
const words = (minute: number) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
const minute_of_day = fc.nat(1439)
const anySpan = fc
  .tuple(minute_of_day, fc.oneof(minute_of_day, fc.constant(1440)))
  .filter(([from, to]) => from !== to)
  .map(([from, to]) => ({ from: words(from), to: words(to) }))

/** Around the days on which Apia skipped a day and clocks change, and at any time. */
const anyTime = fc
  .tuple(
    fc.constantFrom(
      '2011-12-29T00:00Z',
      '2026-03-28T12:00Z',
      '2026-10-03T00:00Z',
      '2026-10-24T12:00Z',
      '2026-11-27T00:00Z',
    ),
    fc.nat(3 * 24 * 3600),
  )
  .map(([day, seconds]) => new Date(Date.parse(day) + seconds * 1000))

/** The minute of the day on the wall, found in another way than the product does. */
const clocks = new Map<string, Intl.DateTimeFormat>()
function minuteAt(at: Date, timeZone: string): number {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  clocks.set(timeZone, clock)
  const [hour = 0, minute = 0] = clock.format(at).split(':').map(Number)
  return hour * 60 + minute
}

const minutesIn = ({ from, to }: { from: string; to: string }) => {
  const [begin = 0, end = 0] = [from, to].map(text => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)))
  return (minute: number) => (minute - begin + 1440) % 1440 < ((end - begin + 1440) % 1440 || 1440)
}

claim(
  'downloads begin with the first minute that is in the hours, and before it no minute is',
  fc.property(fc.array(anySpan, { minLength: 1, maxLength: 3 }), zone, anyTime, (hours, time_zone, at) => {
    const isIn = (moment: Date) => hours.some(span => minutesIn(span)(minuteAt(moment, time_zone)))
    const opens_at = opensAt({ hours, time_zone }, at)
    expect(opens_at === undefined).toBe(isIn(at))
    if (!opens_at) return
    expect(opens_at.getTime() % minute_ms).toBe(0)
    expect(isIn(opens_at)).toBe(true)
    for (let moment = at.getTime(); moment < opens_at.getTime(); moment += minute_ms)
      expect(isIn(new Date(moment))).toBe(false)
  }),
  few_runs,
)

claim(
  'a clock that is asked again and again, also after it was set back, gets the same answers as one that is asked once',
  fc.property(anySpan, zone, fc.array(anyTime, { minLength: 2, maxLength: 6 }), (span, time_zone, times) => {
    const opensNext = openingsOf({ hours: [span], rates: [], time_zone })
    for (const at of times) expect(opensNext(at)).toEqual(opensAt({ hours: [span], time_zone }, at))
  }),
  few_runs,
)
