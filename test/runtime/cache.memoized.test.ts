/** Functions that are memoized by a text. */
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { memoized } from '../../src/runtime/cache.ts'
import { measured } from '../support/app/memory.ts'

function counted(most?: number) {
  const computed: string[] = []
  const lengthOf = memoized(text => {
    computed.push(text)
    return text.length
  }, most)
  return { computed, lengthOf }
}

it('a text is computed once', () => {
  const { computed, lengthOf } = counted()
  expect([lengthOf('abc'), lengthOf('abc'), lengthOf('')]).toEqual([3, 3, 0])
  expect(computed).toEqual(['abc', ''])
})

it('only so many results are remembered, and none of a very long text', () => {
  const { computed, lengthOf } = counted(2)
  for (const text of ['a', 'b', 'c', 'a', 'c']) lengthOf(text)
  expect(computed).toEqual(['a', 'b', 'c', 'a'])
  const long = 'x'.repeat(1000)
  lengthOf(long)
  lengthOf(long)
  expect(computed.filter(text => text === long)).toHaveLength(2)
})

it('a piece of a long header is remembered without the header', async () => {
  const program = `
    import { memoized } from ${JSON.stringify(resolve('src/runtime/cache.ts'))}
    const plain = new Map()
    const kept = [memoized(text => text), text => plain.set(text, text)].map(keep => {
      const before = bytesInUse()
      for (let n = 0; n < 500; n++) keep(Buffer.alloc(100_000, n + ' ').toString().slice(0, 100))
      const bytes = bytesInUse() - before
      keep('used until here')
      return bytes
    })
    console.log(JSON.stringify(kept))`
  const [without_header, with_header] = await measured<[number, number]>(program)

  expect(without_header).toBeLessThan(1_000_000)
  expect(with_header).toBeGreaterThan(40_000_000)
  expect(memoized(text => text)('naïve 東京 🎬')).toBe('naïve 東京 🎬')
})
