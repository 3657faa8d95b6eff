/** Quiet hours by the clock of a person's time zone: over midnight, and when that clock changes. */
import { expect, it } from 'vitest'
import { isQuiet } from '../../../src/schema/notifications/quiet-hours.ts'

const zurich = { quiet_from: '22:00', quiet_to: '07:00', time_zone: 'Europe/Zurich' }
const quietAt = (hours: typeof zurich, ...times: string[]) => times.map(time => isQuiet(hours, new Date(time)))

it('quiet hours from a later to an earlier time of day are over midnight', () => {
  const times = ['20:59', '21:00', '23:30', '05:59', '06:00', '12:00'].map(time => `2026-11-27T${time}:00Z`)
  expect(quietAt(zurich, ...times)).toEqual([false, true, true, true, false, false])
})

it('quiet hours within a day end before midnight', () => {
  const hours = { ...zurich, quiet_from: '13:00', quiet_to: '14:30' }
  const times = ['11:59', '12:00', '13:29', '13:30', '23:00'].map(time => `2026-11-27T${time}:00Z`)
  expect(quietAt(hours, ...times)).toEqual([false, true, true, false, false])
})

it('quiet hours end at seven by the clock on the wall, before and after it changes', () => {
  // In spring the night of 29 March lacks an hour; in autumn that of 25 October has one more.
  const ends = [
    ['2026-03-28T05:59:00Z', '2026-03-28T06:00:00Z'],
    ['2026-03-29T04:59:00Z', '2026-03-29T05:00:00Z'],
    ['2026-10-24T04:59:00Z', '2026-10-24T05:00:00Z'],
    ['2026-10-25T05:59:00Z', '2026-10-25T06:00:00Z'],
  ] as const
  for (const times of ends) expect(quietAt(zurich, ...times)).toEqual([true, false])
})

it('an hour that the clock shows twice is quiet twice, and one that it leaves out is never', () => {
  const twice = { ...zurich, quiet_from: '02:00', quiet_to: '03:00' }
  expect(quietAt(twice, '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-25T02:00:00Z')).toEqual([
    true,
    true,
    false,
  ])
  expect(quietAt(twice, '2026-03-29T00:59:00Z', '2026-03-29T01:00:00Z')).toEqual([false, false])
})

it('there are no quiet hours without both times, or with the same time twice', () => {
  const at = new Date('2026-11-27T23:00:00Z')
  expect(isQuiet({ ...zurich, quiet_to: null }, at)).toBe(false)
  expect(isQuiet({ ...zurich, quiet_from: null }, at)).toBe(false)
  expect(isQuiet({ ...zurich, quiet_from: '07:00' }, at)).toBe(false)
})
