/** Items that are gathered for one call, and what happens when the call fails. */
import { expect, it } from 'vitest'
import { gathered } from '../../src/runtime/gather.ts'

const of = (most: number, wait_ms = 5) => ({ most: () => most, wait_ms })

it('items are answered each with its own answer, by one call', async () => {
  const calls: number[][] = []
  const double = gathered(of(10), async (items: number[]) => {
    calls.push(items)
    return items.map(item => item * 2)
  })
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6])
  expect(calls).toEqual([[1, 2, 3]])
})

it('a call begins as soon as it has all its items, without waiting for the time', async () => {
  const calls: number[][] = []
  const echo = gathered(of(2, 1e8), async (items: number[]) => {
    calls.push(items)
    return items
  })
  await Promise.all([1, 2, 3, 4].map(echo))
  expect(calls).toEqual([
    [1, 2],
    [3, 4],
  ])
})

it('items that arrive during a call are part of the next one', async () => {
  const calls: number[][] = []
  const began = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const echo = gathered(of(1), async (items: number[]) => {
    calls.push(items)
    began.resolve()
    await end.promise
    return items
  })
  const first = echo(1)
  await began.promise
  const second = echo(2)
  end.resolve()
  expect(await Promise.all([first, second])).toEqual([1, 2])
  expect(calls).toEqual([[1], [2]])
})

it('an item that makes its call fail is the only one that fails', async () => {
  const calls: number[][] = []
  const check = gathered(of(3), async (items: number[]) => {
    calls.push(items)
    if (items.includes(2)) throw new Error('not two')
    return items
  })
  const ended = await Promise.allSettled([1, 2, 3].map(check))
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(calls).toEqual([[1, 2, 3], [1], [2], [3]])
})

it('an item that fails alone is not tried again', async () => {
  let calls = 0
  const fail = gathered(of(1), async () => {
    calls += 1
    throw new Error('no')
  })
  await expect(fail(1)).rejects.toThrow('no')
  expect(calls).toBe(1)
})
