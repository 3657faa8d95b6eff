/** Code that is loaded at the first call. */
import { expect, it } from 'vitest'
import { lazily } from '../../src/runtime/cache.ts'

it('the code is loaded at the first call, and once', async () => {
  let loads = 0
  const double = lazily(async () => {
    loads += 1
    return async (n: number) => n * 2
  })
  expect(loads).toBe(0)
  expect(await Promise.all([double(1), double(2)])).toEqual([2, 4])
  expect(await double(3)).toBe(6)
  expect(loads).toBe(1)
})

it('after a load that failed, the next call loads again', async () => {
  let loads = 0
  const double = lazily(async () => {
    loads += 1
    if (loads === 1) throw new Error('too many open files')
    return async (n: number) => n * 2
  })
  await expect(double(1)).rejects.toThrow('too many open files')
  expect(await double(1)).toBe(2)
})
