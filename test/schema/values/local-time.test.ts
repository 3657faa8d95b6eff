import { expect, it } from 'vitest'
import { isIn, isTimeZone, localTime } from '../../../src/schema/values/local-time.ts'

it('a zone that the machine does not know counts as UTC', () => {
  expect(localTime(new Date('2026-11-27T23:05:00Z'), 'Mars/Olympus')).toEqual({ day: '2026-11-27', time: '23:05' })
  expect(localTime(new Date('2026-11-27T23:05:00Z'), 'Asia/Tokyo')).toEqual({ day: '2026-11-28', time: '08:05' })
})

it('a zone is a name that the machine knows, and no offset', () => {
  expect(['Europe/Zurich', 'UTC', 'america/new_york', 'Etc/GMT-5'].filter(name => !isTimeZone(name))).toEqual([])
  const wrong = ['', '+02:00', 'Mars/Olympus', ':/etc/localtime', 'Europe/Zurich\0', 'A'.repeat(100)]
  expect(wrong.filter(isTimeZone)).toEqual([])
})

it('a span has its first minute and not its last, also over midnight and up to midnight', () => {
  const inSpan = (from: string, to: string, ...times: string[]) => times.map(time => isIn({ from, to }, time))
  expect(inSpan('12:30', '14:00', '12:29', '12:30', '13:59', '14:00')).toEqual([false, true, true, false])
  expect(inSpan('22:00', '06:00', '21:59', '22:00', '00:00', '05:59', '06:00')).toEqual([
    false,
    true,
    true,
    true,
    false,
  ])
  expect(inSpan('22:00', '24:00', '23:59', '00:00')).toEqual([true, false])
  expect(inSpan('06:00', '06:00', '05:59', '06:00')).toEqual([false, false])
})
