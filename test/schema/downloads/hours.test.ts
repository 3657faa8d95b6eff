/** The operator's hours and rates by the clock on the wall, also where that clock changes. */
import { expect, it } from 'vitest'
import { hoursWords, openingsOf, opensAt, rateAt } from '../../../src/schema/downloads/hours.ts'

const night = [{ from: '22:00', to: '06:00' }]

/** When downloads begin at each of these times; `open`: they run. */
const openings = (hours: { from: string; to: string }[], time_zone: string, ...times: string[]) =>
  times.map(time => opensAt({ hours, time_zone }, new Date(time))?.toISOString() ?? 'open')

it('downloads run at any time without hours', () => {
  expect(openings([], 'UTC', '2026-11-27T12:00:00Z')).toEqual(['open'])
})

it('downloads begin with the first minute of the hours, over midnight as well', () => {
  const times = ['20:59:59', '21:00:00', '23:30:00', '04:59:59', '05:00:00'].map(time => `2026-11-27T${time}Z`)
  expect(openings(night, 'Europe/Zurich', ...times)).toEqual([
    '2026-11-27T21:00:00.000Z',
    'open',
    'open',
    'open',
    '2026-11-27T21:00:00.000Z',
  ])
})

it('of several hours, the next ones count', () => {
  const hours = [
    { from: '01:00', to: '06:00' },
    { from: '12:30', to: '14:00' },
  ]
  expect(openings(hours, 'UTC', '2026-11-27T06:00:00Z', '2026-11-27T13:00:00Z', '2026-11-27T14:00:30Z')).toEqual([
    '2026-11-27T12:30:00.000Z',
    'open',
    '2026-11-28T01:00:00.000Z',
  ])
})

it('hours that begin in the hour which the clock skips begin when it has been set forward', () => {
  // On 29 March 2026, 02:00 to 03:00 do not occur in Zurich.
  const from_half_past_two = [{ from: '02:30', to: '06:00' }]
  expect(openings(from_half_past_two, 'Europe/Zurich', '2026-03-29T00:59:00Z', '2026-03-29T01:00:00Z')).toEqual([
    '2026-03-29T01:00:00.000Z',
    'open',
  ])
})

it('hours within the hour that the clock skips are left out that day', () => {
  const at_night = [{ from: '02:10', to: '02:50' }]
  expect(openings(at_night, 'Europe/Zurich', '2026-03-28T22:00:00Z')).toEqual(['2026-03-30T00:10:00.000Z'])
})

it('the hour that the clock shows twice is open twice', () => {
  // On 25 October 2026, 02:00 to 03:00 occur twice in Zurich.
  const at_night = [{ from: '02:00', to: '02:30' }]
  const times = ['00:00', '00:29', '00:30', '01:00', '01:29', '01:30'].map(time => `2026-10-25T${time}:00Z`)
  expect(openings(at_night, 'Europe/Zurich', ...times)).toEqual([
    ...['open', 'open', '2026-10-25T01:00:00.000Z', 'open', 'open'],
    '2026-10-26T01:00:00.000Z',
  ])
})

it('a day that a zone skips delays nothing', () => {
  // Apia had no 30 December 2011: midnight after the 29th was the 31st.
  const at_noon = [{ from: '12:00', to: '13:00' }]
  expect(openings(at_noon, 'Pacific/Apia', '2011-12-29T23:30:00Z')).toEqual(['2011-12-30T22:00:00.000Z'])
})

it('a zone that is off by half an hour, and sets its clock by half an hour, is followed', () => {
  // Lord Howe sets its clock from 02:00 to 02:30 on 4 October 2026.
  const at_night = [{ from: '02:15', to: '04:00' }]
  expect(openings(at_night, 'Australia/Lord_Howe', '2026-10-03T15:00:00Z')).toEqual(['2026-10-03T15:30:00.000Z'])
})

it('times that follow each other get the same answers as each time alone', () => {
  const times = { hours: night, rates: [], time_zone: 'Europe/Zurich' }
  const opensNext = openingsOf(times)
  for (const at of ['T12:00:00Z', 'T12:00:01Z', 'T20:59:59Z', 'T21:00:00Z', 'T04:00:00Z', 'T11:00:00Z']) {
    const date = new Date(`2026-11-27${at}`)
    expect(opensNext(date)).toEqual(opensAt(times, date))
  }
})

it('the rate of the hours counts in them, and the one without hours at all other times', () => {
  const rates = [
    { span: null, bytes_s: 2_000_000 },
    { span: { from: '23:00', to: '07:00' }, bytes_s: 10_000_000 },
    { span: { from: '03:00', to: '04:00' }, bytes_s: 0 },
  ]
  const at = (time: string, items = rates) =>
    rateAt({ rates: items, time_zone: 'Europe/Zurich' }, new Date(`2026-11-27T${time}Z`))
  expect(['21:59:59', '22:00:00', '05:59:59', '06:00:00'].map(time => at(time))).toEqual([
    2_000_000, 10_000_000, 10_000_000, 2_000_000,
  ])
  expect(at('02:30:00')).toBe(10_000_000)
  expect(at('02:30:00', rates.toReversed())).toBeUndefined()
  expect(at('12:00:00', rates.slice(1))).toBeUndefined()
  expect(at('12:00:00', [])).toBeUndefined()
})

it('hours are named in words', () => {
  expect(hoursWords(night)).toBe('from 22:00 to 06:00')
  expect(hoursWords([...night, { from: '12:30', to: '14:00' }])).toBe('from 22:00 to 06:00 and from 12:30 to 14:00')
})
