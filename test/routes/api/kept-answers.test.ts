/** The answers of polls that are kept. */
import { expect, it } from 'vitest'
import { keptAnswers } from '../../../src/routes/api/kept-answers.ts'

it('the latest answer of a key is found, with its version', () => {
  const answers = keptAnswers()
  answers.keep('alice v1', '7', 'seven')
  expect(answers.find('alice v1')).toEqual({ version: '7', answer: 'seven' })
  expect(answers.find('bob v1')).toBeUndefined()
  answers.keep('alice v1', '8', 'eight')
  expect(answers.find('alice v1')).toEqual({ version: '8', answer: 'eight' })
})

it('the oldest answers are dropped when all together are too long', () => {
  const answers = keptAnswers(30)
  for (const key of ['a', 'b', 'c']) answers.keep(key, '1', '123456789')
  expect(answers.find('a')?.answer).toBe('123456789')
  answers.keep('a', '2', '123456789')
  answers.keep('d', '1', '123456789')
  expect(['a', 'b', 'c', 'd'].map(key => answers.find(key) !== undefined)).toEqual([true, false, true, true])
  answers.keep('e', '1', 'x'.repeat(100))
  expect(answers.find('e')).toBeUndefined()
})
