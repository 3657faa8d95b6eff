import { describe, expect, it } from 'vitest'
import { max_subtitles } from '../../../src/schema/sources/subtitles.ts'
import { InfoFile } from '../../../src/ytdlp/ask/info-file.ts'
import { languagesOf, subtitlesFor } from '../../../src/ytdlp/ask/subtitles.ts'
import { withInner } from '../../../src/ytdlp/convert/inner-subtitles.ts'

const about = (given: object) => InfoFile.parse(given)
const in_all = (...languages: string[]) => Object.fromEntries(languages.map(language => [language, []]))

describe('languagesOf', () => {
  it.each([
    ['English first', { subtitles: in_all('de', 'en-GB', 'ar') }, ['en-GB', 'ar', 'de']],
    ['then the language spoken', { subtitles: in_all('ar', 'de', 'en'), language: 'de-DE' }, ['en', 'de', 'ar']],
    ['no chat', { subtitles: in_all('live_chat', 'danmaku', 'en') }, ['en']],
    ['no name that leads elsewhere', { subtitles: in_all('../en', 'a/b', 'en.vtt', '-x', '', '.*', 'en') }, ['en']],
    ['none of nonsense', { subtitles: 'all of them', language: 7 }, []],
  ])('takes %s', (_, given, languages) => {
    expect(languagesOf(about(given))).toEqual(languages)
  })

  it('takes a few of very many, and English among them', () => {
    const many = Array.from({ length: 100 }, (_, n) => `a${n}`)

    const languages = languagesOf(about({ subtitles: in_all(...many, 'en') }))

    expect(languages).toHaveLength(max_subtitles)
    expect(languages[0]).toBe('en')
  })
})

describe('the languages that a person prefers', () => {
  const many = Array.from({ length: 100 }, (_, n) => `a${n}`)

  it('change neither the languages nor their order where all are taken', () => {
    const info = about({ subtitles: in_all('ar', 'de', 'en', 'fr'), language: 'de' })

    expect(languagesOf(info, ['fr', 'ar'])).toEqual(languagesOf(info))
  })

  it('take the places of others where there are very many', () => {
    const info = about({ subtitles: in_all(...many, 'en', 'es', 'pt-BR', 'zh-Hans'), language: 'es' })

    const languages = languagesOf(info, ['zh', 'pt', 'ja'])

    expect(languages).toHaveLength(max_subtitles)
    expect(languages.slice(0, 2)).toEqual(['en', 'es'])
    expect(languages).toEqual(expect.arrayContaining(['zh-Hans', 'pt-BR']))
  })

  it('never take the places of English and the spoken language, for people who get the same file', () => {
    const info = about({ subtitles: in_all(...many, 'en', 'es'), language: 'es' })

    const languages = languagesOf(info, many)

    expect(languages).toHaveLength(max_subtitles)
    expect(languages).toEqual(expect.arrayContaining(['en', 'es', 'a0', 'a1', 'a2']))
  })

  it.each(['audio', 'mp3'] as const)('change nothing for %s, which has one file with what is said', quality => {
    const info = about({ subtitles: in_all('de', 'en'), language: 'en' })

    expect(subtitlesFor(info, quality, ['de'])).toEqual(subtitlesFor(info, quality))
    expect(subtitlesFor(info, quality)).toHaveLength(1)
  })
})

describe('subtitlesFor', () => {
  const at = (query: string) => [{ url: `https://www.youtube.com/api/timedtext?v=a&${query}&fmt=vtt`, ext: 'vtt' }]
  /** As yt-dlp lists what YouTube made itself: the original twice, and translations of it. */
  const of_youtube = {
    'en-orig': at('lang=en'),
    en: at('lang=en'),
    de: at('lang=en&tlang=de'),
    fr: at('lang=en&tlang=fr'),
  }
  const automatic = { language: 'en-x-auto', ytdlp_name: 'en-orig' }
  const written = (language: string) => ({ language, ytdlp_name: language })

  it.each([
    ['the original captions of YouTube', { language: 'en', automatic_captions: of_youtube }, [automatic]],
    ['them in an unknown language', { automatic_captions: of_youtube }, [automatic]],
    [
      'them beside what was written in other languages',
      { language: 'en', subtitles: in_all('de'), automatic_captions: of_youtube },
      [written('de'), automatic],
    ],
    [
      'only what was written in the spoken language',
      { language: 'en-US', subtitles: in_all('en-GB', 'de'), automatic_captions: of_youtube },
      [written('en-GB'), written('de')],
    ],
    ['no translation', { language: 'de', automatic_captions: { de: at('lang=en&tlang=de') } }, []],
    [
      'the spoken language of a site that translates nothing',
      { language: 'pt-BR', automatic_captions: in_all('en', 'pt_BR') },
      [{ language: 'pt_BR-x-auto', ytdlp_name: 'pt_BR' }],
    ],
    ['none of several where the language is unknown', { automatic_captions: in_all('en', 'fr') }, []],
    ['the only one', { automatic_captions: in_all('fr') }, [{ language: 'fr-x-auto', ytdlp_name: 'fr' }]],
    ['no name that leads elsewhere', { automatic_captions: in_all('../en') }, []],
    ['none of nonsense', { automatic_captions: 'all of them' }, []],
  ])('takes %s', (_, given, chosen) => {
    expect(subtitlesFor(about(given), 'best')).toEqual(chosen)
  })

  it.each([
    ['what was written in the spoken language', { language: 'de', subtitles: in_all('en', 'de') }, [written('de')]],
    ['then automatic captions', { subtitles: in_all('de'), automatic_captions: of_youtube }, [automatic]],
    ['then anything', { language: 'fr', subtitles: in_all('en', 'de') }, [written('en')]],
    ['nothing where there is nothing', {}, []],
  ])('takes for sound only %s', (_, given, chosen) => {
    expect(subtitlesFor(about(given), 'audio')).toEqual(chosen)
  })
})

it('subtitles inside a file that a person prefers take the places of others of the site', () => {
  const named = (...languages: string[]) => languages.map(language => ({ language, file: `/${language}.vtt` }))
  const of_site = named('en', ...Array.from({ length: 9 }, (_, n) => `a${n}`))

  const subtitles = withInner(of_site, named('en', 'es', 'pt', 'de'), { spoken: 'es', preferred: ['de'] })

  const rest = ['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6']
  expect(subtitles).toEqual(named('en', ...rest, 'es', 'de'))
})
