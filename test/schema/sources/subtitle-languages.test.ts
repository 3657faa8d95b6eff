import { describe, expect, it } from 'vitest'
import {
  inPreferredOrder,
  languagePattern,
  onlyPreferred,
  SubtitleLanguages,
  SubtitleLanguagesForm,
} from '../../../src/schema/sources/subtitle-languages.ts'

describe('the list', () => {
  it('is kept in its order, in the usual spelling, each language once', () => {
    expect(SubtitleLanguages.parse(['DE', 'pt_br', 'de', 'zh-hant', 'PT-BR', 'es-419', 'gsw'])).toEqual([
      ...['de', 'pt-BR', 'zh-Hant', 'es-419', 'gsw'],
    ])
  })

  it.each([[['german']], [['xx']], [['']], [['de--at']], [['de', '*']], [['d']], [Array(21).fill('de')], ['de']])(
    'refuses %j',
    wrong => {
      expect(SubtitleLanguages.safeParse(wrong).success).toBe(false)
    },
  )

  it.each([
    ['de, en', ['de', 'en']],
    [' de;en\n pt-BR ', ['de', 'en', 'pt-BR']],
    ['', []],
    [' , ', []],
  ])('is written by a person as %j', (text, languages) => {
    expect(SubtitleLanguagesForm.parse({ subtitle_languages: text }).subtitle_languages).toEqual(languages)
  })
})

describe('languagePattern', () => {
  it.each([
    ['pt', 'pt pt-BR pt_PT pt-BR-x-auto', 'p ptx en-pt'],
    ['pt-BR', 'pt pt-BR pt-PT', 'en'],
    ['zh', 'zh zh-Hans zh-Hant zh-TW', 'za'],
    ['zh-Hant', 'zh-Hant zh-TW zh_HK zh-Hant-TW', 'zh zh-Hans zh-CN zh-Hans-SG'],
    ['zh-TW', 'zh-Hant zh-TW', 'zh-CN zh'],
    ['zh-Hans', 'zh zh-Hans zh-CN', 'zh-Hant zh-TW'],
    ['sr-Latn', 'sr sr-Latn sr-Latn-RS sr-RS', 'sr-Cyrl'],
    ['sr', 'sr sr-Latn sr-Cyrl', 'srn'],
  ])('for %s finds %s, and not %s', (tag, found, others) => {
    const pattern = new RegExp(languagePattern(tag), 'i')

    expect(found.split(' ').filter(name => !pattern.test(name))).toEqual([])
    expect(others.split(' ').filter(name => pattern.test(name))).toEqual([])
  })
})

describe('the order', () => {
  it.each([
    [
      ['en', 'fr', 'de'],
      ['de', 'en'],
      ['de', 'en', 'fr'],
    ],
    [['en', 'de-AT', 'de'], ['de'], ['de', 'de-AT', 'en']],
    [
      ['pt-PT', 'pt-BR', 'en'],
      ['pt-BR', 'en'],
      ['pt-BR', 'pt-PT', 'en'],
    ],
    // Another region of a preferred language comes before the next language.
    [
      ['en', 'pt-PT'],
      ['pt-BR', 'en'],
      ['pt-PT', 'en'],
    ],
    [['de-x-auto', 'en', 'de-AT'], ['de'], ['de-x-auto', 'de-AT', 'en']],
    [['zh-Hans', 'en', 'zh-Hant'], ['zh-Hant'], ['zh-Hant', 'zh-Hans', 'en']],
    [['b', 'a', 'weird_name_1'], ['de'], ['b', 'a', 'weird_name_1']],
    [['en', 'de'], [], ['en', 'de']],
  ])('of %j for a person with %j is %j', (names, preferred, order) => {
    expect(inPreferredOrder(names, preferred)).toEqual(order)
  })

  it('leaves out what is not preferred where it is asked to', () => {
    expect(onlyPreferred(['fr', 'en', 'de-CH'], ['de', 'en'])).toEqual(['de-CH', 'en'])
    expect(onlyPreferred(['fr'], ['de'])).toEqual([])
  })
})
