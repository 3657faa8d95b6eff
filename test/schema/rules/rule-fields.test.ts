/** The form of a rule: empty fields, words, minutes, and what is refused. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Rule, RuleRequest } from '../../../src/schema/rules/rule.ts'
import { fieldsOf, RuleForm } from '../../../src/schema/rules/rule-fields.ts'
import { holds } from '../../support/run/holds.ts'

const rule = (changes: Partial<Rule> = {}): Rule => ({ ...RuleRequest.parse({ auto_download: true }), ...changes })
const faultsOf = (fields: object) =>
  RuleForm.safeParse(fields).error?.issues.map(({ path, message }) => [path.join('.'), message])

it('empty fields mean no limits', () => {
  expect(RuleForm.parse({ title_words: ' ', keep_newest: '', title_pattern: '' })).toEqual(
    rule({ auto_download: false }),
  )
})

it('an empty choice is refused, and none of live streams means any', () => {
  expect(RuleForm.safeParse({ live: '' }).error?.issues.map(({ path }) => path)).toEqual([['live']])
  expect(RuleForm.parse({ live: 'only', which: 'all' })).toMatchObject({ live: 'any' })
})

it('words are separated by commas', () => {
  const fields = { auto_download: 'on', title_words: ' rye , sour dough,, ', keep_days: ' 30 ' }
  expect(RuleForm.parse(fields)).toEqual(rule({ title_words: ['rye', 'sour dough'], keep_days: 30 }))
})

it.each([
  [{ keep_newest: 'ten' }, 'keep_newest', 'Use a number from 1 to 500.'],
  [{ keep_newest: '0' }, 'keep_newest', 'Use a number from 1 to 500.'],
  [{ keep_newest: '1.5' }, 'keep_newest', 'Use a number from 1 to 500.'],
  [{ keep_newest: '1e9' }, 'keep_newest', 'Use a number from 1 to 500.'],
  [{ keep_days: '-1' }, 'keep_days', 'Use a number from 1 to 3650.'],
  [{ title_words: 'x'.repeat(101) }, 'title_words', 'One word is too long. Use at most 100 characters.'],
  [{ without_words: 'x,'.repeat(31) }, 'without_words', 'Use at most 30 words.'],
  [{ title_pattern: '(' }, 'title_pattern', expect.stringContaining('can’t be used')],
])('says at the field what is wrong: %o', (fields, field, sentence) => {
  expect(faultsOf(fields)).toEqual([[field, sentence]])
})

it('minutes may have a fraction, and the shortest length is not above the greatest', () => {
  expect(RuleForm.parse({ min_seconds: '1,5', max_seconds: ' 90 ' })).toMatchObject({
    min_seconds: 90,
    max_seconds: 5400,
  })
  expect(faultsOf({ min_seconds: '10', max_seconds: '5' })).toEqual([
    ['max_seconds', 'Use at least the shortest length.'],
  ])
  expect(faultsOf({ min_seconds: 'long' })).toEqual([['min_seconds', 'Enter a length above 0, at most a week.']])
})

it('a rule that is shown as a form and sent again stays the same', () => {
  holds(
    fc.property(
      fc.record({ min_seconds: fc.integer({ min: 1, max: 604_800 }), also_days: days, keep_days: days }),
      changes => {
        const shown = rule({ ...changes, live: 'only', include_older: true, title_words: ['rye', 'sour dough'] })
        expect(RuleForm.parse(fieldsOf(shown))).toEqual(shown)
      },
    ),
  )
})
const days = fc.option(fc.integer({ min: 1, max: 3650 }))
