/** The usual spelling of languages, and their words. */
import { expect, it } from 'vitest'
import { languageWords, usualTag } from '../../../src/schema/sources/subtitles.ts'

it.each([
  ['spa', 'es'],
  ['ger', 'de'],
  ['EN', 'en'],
  ['pt_br', 'pt-BR'],
  ['en-x-auto', 'en-x-auto'],
  ['und', undefined],
  ['und-Latn', undefined],
  ['', undefined],
  ['en-eEY6OEpapPo', undefined],
  [`sv${'-abcdefgh'.repeat(5)}`, undefined],
])('the usual tag of %o is %o', (tag, expected) => {
  expect(usualTag(tag)).toBe(expected)
})

it.each([
  ['und', 'Unknown language'],
  ['und-2', 'Unknown language (2)'],
  ['und-forced', 'Unknown language (forced)'],
  ['pt_BR', 'Brazilian Portuguese'],
  ['en-x-auto', 'English (automatic)'],
  ['no_tag_at_all_', 'no_tag_at_all_'],
])('%s is called %s', (language, words) => {
  expect(languageWords(language)).toBe(words)
})
