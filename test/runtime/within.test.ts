/** Answers that are bounded in time and shared. */
import { expect, it } from 'vitest'
import { shared, within } from '../../src/runtime/within.ts'

it('a question without an answer is given up, and one that is answered or fails in time is not', async () => {
  await expect(within(10, new Promise(() => {}))).rejects.toThrow('no answer within 10 ms')
  expect(await within(60_000, Promise.resolve('here'))).toBe('here')
  await expect(within(60_000, Promise.reject(new Error('failed')))).rejects.toThrow('failed')
})

it('callers share an answer while it is made, for its time, and for twenty times as long as it took', async () => {
  let [now, made] = [0, 0]
  const ask = shared(
    async () => {
      now += 100
      return ++made
    },
    1000,
    () => now,
  )
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1])
  now += 1999
  expect(await ask()).toBe(1)
  now += 1
  expect(await ask()).toBe(2)
})

it('a failure is not kept', async () => {
  let tries = 0
  const ask = shared(async () => {
    if (++tries === 1) throw new Error('away')
    return tries
  }, 1000)
  await expect(ask()).rejects.toThrow('away')
  expect(await ask()).toBe(2)
})
