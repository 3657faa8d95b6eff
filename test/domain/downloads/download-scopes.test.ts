/** Estimating the size of many downloads. */
import { expect, it } from 'vitest'
import type { ScopeLength } from '../../../src/db/downloads/scopes.ts'
import { sizesOf } from '../../../src/domain/downloads/download-scopes.ts'

const length = (changes: Partial<ScopeLength> = {}): ScopeLength => ({
  which: 'all',
  quality: '720',
  count: 1,
  seconds: 100,
  unknown: 0,
  median_seconds: null,
  ...changes,
})

it('a size is the length times the rate of the files in that quality', () => {
  const rates = [
    { quality: '720', bytes_per_second: 1000 },
    { quality: 'audio', bytes_per_second: 10 },
  ] as const
  const { all, newest } = sizesOf([length(), length({ quality: 'audio', count: 2, seconds: 50 })], [...rates])
  expect(all).toEqual({ count: 3, bytes: 100_500 })
  expect(newest).toEqual({ count: 0, bytes: 0 })
})

it('a video of unknown length counts as one of median length, or of ten minutes where no length is known', () => {
  const rates = [{ quality: '720' as const, bytes_per_second: 10 }]
  const unknown = { count: 2, unknown: 1 }
  expect(sizesOf([length({ ...unknown, median_seconds: 40 })], rates).all.bytes).toBe(1400)
  expect(sizesOf([length({ ...unknown, seconds: 0 })], rates).all.bytes).toBe(6000)
})

it('a quality without files has the usual rate, and a larger picture a larger one', () => {
  const bytes = (['audio', '360', '480', '720', '1080', '1440', '2160'] as const).map(
    quality => sizesOf([length({ quality })], []).all.bytes,
  )
  expect(bytes).toEqual(bytes.toSorted((one, other) => one - other))
  expect(bytes[0]).toBeGreaterThan(0)
})
