import { describe, expect, it } from 'vitest'
import { chapterText, InfoFile, languagesOf, max_languages, threeLetterCode } from '../../../src/ytdlp/run/info-file.ts'

const about = (given: object) => InfoFile.parse(given)
const in_all = (...languages: string[]) => Object.fromEntries(languages.map(language => [language, []]))

describe('languagesOf', () => {
  it.each([
    ['English first', { subtitles: in_all('de', 'en-GB', 'ar') }, ['en-GB', 'ar', 'de']],
    ['then the language spoken', { subtitles: in_all('ar', 'de', 'en'), language: 'de-DE' }, ['en', 'de', 'ar']],
    ['no chat', { subtitles: in_all('live_chat', 'danmaku', 'en') }, ['en']],
    ['no name that leads elsewhere', { subtitles: in_all('../en', 'a/b', 'en.vtt', '-x', '', '.*', 'en') }, ['en']],
    ['nothing of a machine', { automatic_captions: in_all('en') }, []],
    ['none of nonsense', { subtitles: 'all of them', language: 7 }, []],
  ])('takes %s', (_, given, languages) => {
    expect(languagesOf(about(given))).toEqual(languages)
  })

  it('takes a few of very many, and English among them', () => {
    const many = Array.from({ length: 100 }, (_, n) => `a${n}`)

    const languages = languagesOf(about({ subtitles: in_all(...many, 'en') }))

    expect(languages).toHaveLength(max_languages)
    expect(languages[0]).toBe('en')
  })
})

describe('chapterText', () => {
  it('writes them as ffmpeg reads them', () => {
    const chapters = [{ start_time: 0, end_time: 61.5, title: 'a=b;c#d\\e\n[CHAPTER]' }]

    expect(chapterText(about({ chapters }))).toBe(
      ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=61500\ntitle=a\\=b\\;c\\#d\\\\e [CHAPTER]\n',
    )
  })

  it.each([
    ['there are none', {}],
    ['they are null', { chapters: null }],
    ['they end before they start', { chapters: [{ start_time: 2, end_time: 1, title: 'a' }] }],
    ['they are nonsense', { chapters: ['a', null, { start_time: 'now' }] }],
    ['they never end', { chapters: [{ start_time: 0, end_time: 1e12, title: 'a' }] }],
  ])('is nothing where %s', (_, given) => {
    expect(chapterText(about(given))).toBeUndefined()
  })
})

it.each([
  ['en', 'eng'],
  ['pt-BR', 'por'],
  ['zh_Hans', 'zho'],
  ['xx', 'und'],
  ['constructor', 'und'],
])('knows %s as %s', (language, letters) => {
  expect(threeLetterCode(language)).toBe(letters)
})
