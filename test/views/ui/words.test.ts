import { describe, expect, it } from 'vitest'
import { pathWith, webUrl } from '../../../src/views/ui/paths.ts'
import {
  bytesWords,
  countWords,
  dateWords,
  durationWords,
  initialOf,
  placeWords,
  relativeWords,
  secondsWords,
  spanWords,
  spokenDuration,
  transferWords,
} from '../../../src/views/ui/words.ts'
import { half } from '../../support/app/scene.ts'

describe('placeWords', () => {
  it.each([
    [1, 'Up next'],
    [2, 'Queued, #2'],
    [10, 'Queued, #10'],
    [11, 'Queued'],
    [1203, 'Queued'],
  ])('calls place %d in the queue %s', (place, words) => expect(placeWords(place)).toBe(words))
})

describe('transferWords', () => {
  it.each([
    [{}, '310 of 738 MB · 6.1 MB/s'],
    [{ total_bytes: 1_200_000_000 }, '310 MB of 1.2 GB · 6.1 MB/s'],
    [{ total_bytes: null }, '310 MB · 6.1 MB/s'],
    [{ speed: null }, '310 of 738 MB'],
    [{ downloaded_bytes: null }, undefined],
    [{ phase: 'processing' as const }, undefined],
  ])('says what is received so far, without what is not known: %o', (changes, words) => {
    expect(transferWords({ ...half, ...changes })).toBe(words)
  })
})

describe('bytesWords', () => {
  it.each([
    [0, '0 bytes'],
    [999, '999 bytes'],
    [1000, '1.0 KB'],
    [9_949_999, '9.9 MB'],
    [9_950_000, '10 MB'],
    [214_300_000, '214 MB'],
    [9_400_000_000, '9.4 GB'],
    [5e15, '5000 TB'],
  ])('says %d as %s', (bytes, words) => {
    expect(bytesWords(bytes)).toBe(words)
  })
})

describe('secondsWords', () => {
  it.each([
    [0, '0 s'],
    [11, '11 s'],
    [60, '1 min'],
    [71, '1 min 11 s'],
    [7265, '2 h 1 min'],
    [7200, '2 h'],
  ])('writes %d seconds as %s', (seconds, words) => expect(secondsWords(seconds)).toBe(words))
})

describe('spokenDuration', () => {
  it.each([
    [9, '9 seconds'],
    [60, '1 minute'],
    [724, '12 minutes 4 seconds'],
    [3753, '1 hour 2 minutes 33 seconds'],
    [7200, '2 hours'],
  ])('says %d seconds as %s', (seconds, words) => expect(spokenDuration(seconds)).toBe(words))
})

describe('durationWords', () => {
  it.each([
    [0, '0:00'],
    [9.4, '0:09'],
    [70, '1:10'],
    [3723, '1:02:03'],
    [-5, '0:00'],
  ])('says %d seconds as %s', (seconds, words) => {
    expect(durationWords(seconds)).toBe(words)
  })
})

describe('relativeWords', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  it.each([
    ['2026-11-20T11:59:55Z', 'just now'],
    ['2026-11-20T12:00:05Z', 'in a moment'],
    ['2026-11-20T11:59:35Z', '25 seconds ago'],
    ['2026-11-20T12:00:30Z', 'in 30 seconds'],
    ['2026-11-20T12:02:00Z', 'in 2 minutes'],
    ['2026-11-20T09:00:00Z', '3 hours ago'],
    ['2026-11-19T12:00:00Z', '1 day ago'],
    ['2024-11-01T12:00:00Z', '2 years ago'],
  ])('says %s as %s', (date, words) => {
    expect(relativeWords(new Date(date), now)).toBe(words)
  })
})

describe('spanWords', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  it.each([
    ['2026-11-20T11:59:55Z', 'a moment'],
    ['2026-11-20T12:00:05Z', 'a moment'],
    ['2026-11-20T11:59:35Z', '25 seconds'],
    ['2026-11-20T11:58:00Z', '2 minutes'],
    ['2026-11-20T09:00:00Z', '3 hours'],
    ['2026-11-19T11:00:00Z', '1 day'],
    ['2024-11-01T12:00:00Z', '2 years'],
  ])('says since %s as %s', (date, words) => {
    expect(spanWords(new Date(date), now)).toBe(words)
  })
})

describe('webUrl', () => {
  it.each(['https://a.test/x?y=1', 'http://a.test/'])('accepts %s', url => {
    expect(webUrl(url)).toBe(url)
  })

  it.each([
    'javascript:alert(1)',
    ' \tjava\nscript:alert(1)',
    'data:text/html,x',
    'ftp://a.test/',
    '//a.test',
    '/x',
    '',
    null,
  ])('refuses %j', url => {
    expect(webUrl(url)).toBeUndefined()
  })
})

it('pathWith leaves out empty parameters and escapes the others', () => {
  expect(pathWith('/', { q: '', cursor: null })).toBe('/')
  expect(pathWith('/', { q: 'a&b', cursor: 'x' })).toBe('/?q=a%26b&cursor=x')
})

it('countWords counts in the singular and the plural', () => {
  expect([countWords(1, 'video'), countWords(1204, 'video')]).toEqual(['1 video', '1,204 videos'])
})

it('initialOf finds the first letter of a name, behind quotes and signs', () => {
  expect([initialOf('  “äpfel”'), initialOf('4K walks'), initialOf('★'), initialOf('日本')]).toEqual([
    'Ä',
    '4',
    '·',
    '日',
  ])
})

it('dateWords writes a date in full', () => {
  expect(dateWords(new Date('2026-11-20T23:59:00Z'))).toBe('20 November 2026')
})
