import { describe, expect, it } from 'vitest'
import {
  bytesWords,
  countWords,
  dateWords,
  durationWords,
  lengthWords,
  relativeWords,
  secondsWords,
  spanWords,
  spokenDuration,
} from '../../../src/schema/values/words.ts'

const now = new Date('2026-11-20T12:00:00Z')

function writes<T>(name: string, write: (value: T) => string, said: [value: T, words: string][]) {
  describe(name, () => {
    it.each(said)('writes %s as %s', (value, words) => expect(write(value)).toBe(words))
  })
}

writes('bytesWords', bytesWords, [
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1.0 KB'],
  [9_949_999, '9.9 MB'],
  [9_950_000, '10 MB'],
  [214_300_000, '214 MB'],
  [9_400_000_000, '9.4 GB'],
  [5e15, '5000 TB'],
])

writes('secondsWords', (seconds: number) => secondsWords(seconds), [
  [0, '0 s'],
  [11, '11 s'],
  [60, '1 min'],
  [71, '1 min 11 s'],
  [7265, '2 h 1 min'],
  [7200, '2 h'],
])

writes('lengthWords', lengthWords, [
  [60, '1 minute'],
  [90, '1.5 minutes'],
  [5400, '90 minutes'],
  [7200, '2 hours'],
])

writes('spokenDuration', spokenDuration, [
  [9, '9 seconds'],
  [60, '1 minute'],
  [724, '12 minutes 4 seconds'],
  [3753, '1 hour 2 minutes 33 seconds'],
  [7200, '2 hours'],
])

writes('durationWords', durationWords, [
  [0, '0:00'],
  [9.4, '0:09'],
  [70, '1:10'],
  [3723, '1:02:03'],
  [-5, '0:00'],
])

writes('relativeWords', (date: string) => relativeWords(new Date(date), now), [
  ['2026-11-20T11:59:55Z', 'just now'],
  ['2026-11-20T12:00:05Z', 'in a moment'],
  ['2026-11-20T11:59:35Z', '25 seconds ago'],
  ['2026-11-20T12:00:30Z', 'in 30 seconds'],
  ['2026-11-20T12:02:00Z', 'in 2 minutes'],
  ['2026-11-20T09:00:00Z', '3 hours ago'],
  ['2026-11-19T12:00:00Z', '1 day ago'],
  ['2024-11-01T12:00:00Z', '2 years ago'],
])

writes('spanWords', (date: string) => spanWords(new Date(date), now), [
  ['2026-11-20T11:59:55Z', 'a moment'],
  ['2026-11-20T12:00:05Z', 'a moment'],
  ['2026-11-20T11:59:35Z', '25 seconds'],
  ['2026-11-20T11:58:00Z', '2 minutes'],
  ['2026-11-20T09:00:00Z', '3 hours'],
  ['2026-11-19T11:00:00Z', '1 day'],
  ['2024-11-01T12:00:00Z', '2 years'],
])

it('secondsWords writes as many units as are asked for', () => expect(secondsWords(3723, 3)).toBe('1 h 2 min 3 s'))

it('countWords counts in the singular and the plural', () => {
  expect([countWords(1, 'video'), countWords(1204, 'video')]).toEqual(['1 video', '1,204 videos'])
})

it('dateWords writes a date in full', () => {
  expect(dateWords(new Date('2026-11-20T23:59:00Z'))).toBe('20 November 2026')
})
