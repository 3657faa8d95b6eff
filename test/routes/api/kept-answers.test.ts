/** The answers of polls that are kept. */
import { expect, it } from 'vitest'
import { keptAnswers } from '../../../src/routes/api/kept-answers.ts'

it('an answer is found by its key and its version', () => {
  const answers = keptAnswers()
  answers.keep('alice v1', '7', 'seven')
  expect(answers.find('alice v1', '7')).toBe('seven')
  expect(answers.find('alice v1', '8')).toBeUndefined()
  expect(answers.find('bob v1', '7')).toBeUndefined()
  answers.keep('alice v1', '8', 'eight')
  expect([answers.find('alice v1', '7'), answers.find('alice v1', '8')]).toEqual([undefined, 'eight'])
})

it('the oldest answers are dropped when all together are too long', () => {
  const answers = keptAnswers(30)
  for (const key of ['a', 'b', 'c']) answers.keep(key, '1', '123456789')
  expect(answers.find('a', '1')).toBe('123456789')
  answers.keep('a', '2', '123456789')
  answers.keep('d', '1', '123456789')
  expect(['a', 'b', 'c', 'd'].map(key => answers.find(key, key === 'a' ? '2' : '1') !== undefined)).toEqual([
    true,
    false,
    true,
    true,
  ])
  answers.keep('e', '1', 'x'.repeat(100))
  expect(answers.find('e', '1')).toBeUndefined()
})
