/** Values that are kept up to a number of characters. */
import { expect, it } from 'vitest'
import { boundedCache } from '../../src/runtime/cache.ts'

it('the latest value of a key is found', () => {
  const answers = boundedCache<{ version: string; answer: string }>(1000)
  answers.keep('alice v1', { version: '7', answer: 'seven' }, 'seven'.length)
  expect(answers.find('alice v1')).toEqual({ version: '7', answer: 'seven' })
  expect(answers.find('bob v1')).toBeUndefined()
  answers.keep('alice v1', { version: '8', answer: 'eight' }, 'eight'.length)
  expect(answers.find('alice v1')).toEqual({ version: '8', answer: 'eight' })
})

it('the oldest values are dropped when all together are too long', () => {
  const answers = boundedCache<{ version: string; answer: string }>(30)
  for (const key of ['a', 'b', 'c']) answers.keep(key, { version: '1', answer: '123456789' }, '123456789'.length)
  expect(answers.find('a')?.answer).toBe('123456789')
  answers.keep('a', { version: '2', answer: '123456789' }, '123456789'.length)
  answers.keep('d', { version: '1', answer: '123456789' }, '123456789'.length)
  expect(['a', 'b', 'c', 'd'].map(key => answers.find(key) !== undefined)).toEqual([true, false, true, true])
  answers.keep('e', { version: '1', answer: 'x'.repeat(100) }, 'x'.repeat(100).length)
  expect(answers.find('e')).toBeUndefined()
})
