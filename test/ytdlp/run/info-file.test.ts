import { describe, expect, it } from 'vitest'
import { chaptersIn, chapterText, InfoFile, threeLetterCode } from '../../../src/ytdlp/run/info-file.ts'

const about = (given: object) => InfoFile.parse(given)

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

it('chapters are read in the order of their times, and what is no chapter is left out', () => {
  const chapters = [
    { start_time: 61.5, end_time: 70, title: 'b\nc' },
    { start_time: 0, end_time: 61.5, title: 'a' },
    { start_time: 80, end_time: 70, title: 'reversed' },
    'nonsense',
  ]
  expect(chaptersIn(about({ chapters }))).toEqual([
    { start_seconds: 0, title: 'a' },
    { start_seconds: 61.5, title: 'b c' },
  ])
  expect(chaptersIn(about({ chapters: null }))).toBeUndefined()
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

it('a chapter that starts before 0 starts at 0, and the last one may have no end', () => {
  const chapters = [
    { start_time: -0.25, end_time: null, title: 'Intro' },
    { start_time: 10, end_time: null, title: 'Last' },
  ]
  expect(chaptersIn(about({ chapters, duration: 60 }))).toEqual([
    { start_seconds: 0, title: 'Intro' },
    { start_seconds: 10, title: 'Last' },
  ])
  expect(chapterText(about({ chapters, duration: 60 }))).toMatch(/START=0\nEND=10000\n[\s\S]*START=10000\nEND=60000\n/)
})
