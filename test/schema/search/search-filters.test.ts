/** What may follow the key of a filter. */
import { expect, it } from 'vitest'
import { is_values, readFilter, type SearchKey } from '../../../src/schema/search/search-filters.ts'

const now = new Date('2026-03-31T12:00:00Z')
const read = (key: SearchKey, value: string, is_excluded = false) => readFilter(key, { value, is_excluded, now })
const utc = (date: string) => new Date(date)

it.each([
  ['2025', utc('2025-01-01T00:00:00Z'), '2025'],
  ['2025-04', utc('2025-04-01T00:00:00Z'), 'April 2025'],
  ['2025-4', utc('2025-04-01T00:00:00Z'), 'April 2025'],
  ['2025-04-30', utc('2025-04-30T00:00:00Z'), '30 April 2025'],
  ['2024-02-29', utc('2024-02-29T00:00:00Z'), '29 February 2024'],
])('before:%s is before its first moment, and after:%1$s from it on, in UTC', (value, at, words) => {
  expect(read('before', value)).toEqual({ filter: { key: 'before', at, is_excluded: false }, means: `Before ${words}` })
  expect(read('after', value)).toEqual({ filter: { key: 'after', at, is_excluded: false }, means: `Since ${words}` })
  expect(read('before', value, true)).toMatchObject({ filter: { is_excluded: true }, means: `Since ${words}` })
})

it.each([
  ['7d', utc('2026-03-24T12:00:00Z'), '7 days'],
  ['2W', utc('2026-03-17T12:00:00Z'), '2 weeks'],
  ['1m', utc('2026-02-28T12:00:00Z'), '1 month'],
  ['1y', utc('2025-03-31T12:00:00Z'), '1 year'],
])('%s is a time ago', (value, at, words) => {
  expect(read('after', value)).toMatchObject({ filter: { at }, means: `In the last ${words}` })
  expect(read('before', value)).toMatchObject({ filter: { at }, means: `Older than ${words}` })
})

it.each(['soon', '0000', '2025-13', '2025-02-30', '2025-', '9999d', '20255', '7x', '-1d'])(
  'before:%s is answered with dates that work',
  value => {
    expect(read('before', value)).toEqual({ hint: expect.stringContaining('before:2025-04-30') })
  },
)

it.each([
  ['20m', 1200, '20 min'],
  ['20', 1200, '20 min'],
  ['20min', 1200, '20 min'],
  ['90s', 90, '1 min 30 s'],
  ['1h30m', 5400, '1 h 30 min'],
  ['1H30', 5400, '1 h 30 min'],
  ['1h', 3600, '1 h'],
  ['0', 0, '0 s'],
])('longer:%s is %i seconds', (value, seconds, words) => {
  expect(read('longer', value)).toEqual({
    filter: { key: 'longer', seconds, is_excluded: false },
    means: `Longer than ${words}`,
  })
  expect(read('shorter', value, true)).toMatchObject({ filter: { seconds }, means: `Not shorter than ${words}` })
})

it.each(['x', '20x', 'm', '1.5h', '-20m', '999999999'])('longer:%s is answered with lengths that work', value => {
  expect(read('longer', value)).toEqual({ hint: expect.stringContaining('longer:1h30m') })
})

it('every value of is: is a state in plain words, and unwatched excludes watched', () => {
  for (const value of is_values) expect(read('is', value)).toHaveProperty('filter')
  expect(read('is', 'UNWATCHED')).toEqual({
    filter: { key: 'is', state: 'watched', is_excluded: true },
    means: 'Unwatched',
  })
  expect(read('is', 'unwatched', true)).toMatchObject({ filter: { is_excluded: false }, means: 'Watched' })
  expect(read('on', 'Disk', true)).toEqual({
    filter: { key: 'is', state: 'on_disk', is_excluded: true },
    means: 'Not on disk',
  })
})

it.each([
  ['is', 'unwached', 'is:unwatched'],
  ['is', 'downl', 'is:downloading'],
  ['is', 'seen', 'is:watched'],
  ['is', 'downloaded', 'on:disk'],
  ['on', 'dsik', 'on:disk'],
] as const)('%s:%s is answered with %s', (key, value, mended) => {
  expect(read(key, value)).toEqual({ hint: `Did you mean ${mended}?`, mended })
  expect(read(key, value, true)).toMatchObject({ mended: `-${mended}` })
})

it('a state that is unlike all is answered with all of them', () => {
  expect(read('is', 'blue')).toEqual({ hint: expect.stringContaining('watched, unwatched, started') })
  expect(read('on', 'tape')).toEqual({ hint: 'Use on:disk.' })
})

it('is:dismissed, the former word, still finds what is hidden', () => {
  expect(read('is', 'hidden')).toEqual(read('is', 'Dismissed'))
  expect(read('is', 'hidden', true)).toMatchObject({ means: 'Not hidden' })
})
