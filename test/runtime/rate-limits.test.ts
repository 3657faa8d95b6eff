/** Counting in windows of time. */
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { countIn } from '../../src/runtime/rate-limits.ts'
import { measured } from '../support/app/memory.ts'

function counting(window_s: number) {
  let now_ms = 0
  return {
    count: countIn(window_s, () => now_ms),
    pass: (ms: number) => {
      now_ms += ms
    },
  }
}

it('uses of a key are counted from its first use until the window ends, and then from 1 again', () => {
  const { count, pass } = counting(60)
  expect(count('a')).toEqual({ used: 1, wait_s: 60 })
  pass(59_500)
  expect(count('a')).toEqual({ used: 2, wait_s: 1 })
  pass(500)
  expect(count('a')).toEqual({ used: 1, wait_s: 60 })
})

it('each key has a count and a window of its own', () => {
  const { count, pass } = counting(60)
  count('a')
  pass(30_000)
  expect(count('b')).toEqual({ used: 1, wait_s: 60 })
  pass(30_000)
  expect([count('a').used, count('b').used]).toEqual([1, 2])
})

it('keys whose window has ended are forgotten with the next new key', async () => {
  const key_bytes = 100_000
  const program = `
    import { countIn } from ${JSON.stringify(resolve('src/runtime/rate-limits.ts'))}
    let now_ms = 0
    const count = countIn(1, () => now_ms)
    const before = bytesInUse()
    for (let n = 0; n < 200; n++) count(Buffer.alloc(${key_bytes}, n + ' ').toString())
    const kept = bytesInUse() - before
    now_ms += 1000
    count('next')
    const left = bytesInUse() - before
    console.log(JSON.stringify({ kept, left, used: count('next').used }))`
  const { kept, left, used } = await measured<{ kept: number; left: number; used: number }>(program)

  expect(kept).toBeGreaterThan(190 * key_bytes)
  expect(left).toBeLessThan(20 * key_bytes)
  expect(used).toBe(2)
})
