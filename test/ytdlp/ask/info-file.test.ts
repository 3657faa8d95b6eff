import { describe, expect, it } from 'vitest'
import { type FileWords, wordsHash } from '../../../src/schema/videos/video.ts'
import {
  chaptersIn,
  chapterText,
  InfoFile,
  metadataText,
  tagsOf,
  threeLetterCode,
} from '../../../src/ytdlp/ask/info-file.ts'

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

it('a name that yt-dlp gives to a chapter without one is no name', () => {
  const chapters = ['<Untitled Chapter 1>', 'Dough', '<Untitled Chapter 13>', 'About <Untitled Chapter 2>'].map(
    (title, at) => ({ start_time: at, end_time: at + 1, title }),
  )
  const titles = ['', 'Dough', '', 'About <Untitled Chapter 2>']
  expect(chaptersIn(about({ chapters }))?.map(({ title }) => title)).toEqual(titles)
  expect(
    chapterText(about({ chapters }))
      ?.match(/^title=.*/gm)
      ?.map(line => line.slice(6)),
  ).toEqual(titles)
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

const words: FileWords = {
  title: 'My own title',
  channel_title: 'My own channel',
  published_at: new Date('2026-11-20T23:30:00Z'),
  description: 'My own words.',
  video_url: 'https://kitchen.example/bread.mp4',
  thumbnail_url: 'https://kitchen.example/bread.jpg',
}
const info = (changes: object) =>
  InfoFile.parse({
    extractor_key: 'Youtube',
    id: 'abcdefghijk',
    webpage_url: 'https://www.youtube.com/watch?v=abcdefghijk',
    title: 'Bread 2026-11-21 10:00',
    fulltitle: 'Bread',
    description: 'How to bake.',
    upload_date: '20261121',
    channel: 'Kitchen',
    ...changes,
  })

describe('tagsOf', () => {
  it('the texts of a file are those of its site, although the feed of the person says others', () => {
    expect(tagsOf(info({}), words)).toEqual({
      title: 'Bread',
      channel: 'Kitchen',
      published_at: new Date('2026-11-21T00:00:00Z'),
      description: 'How to bake.',
      address: 'https://www.youtube.com/watch?v=abcdefghijk',
      covers: [],
    })
  })

  it('a text that the site does not give is left out, and not taken from the person', () => {
    const bare = { fulltitle: null, title: null, channel: null, description: null, upload_date: null }
    expect(tagsOf(info(bare), words)).toEqual({
      title: null,
      channel: null,
      published_at: null,
      description: null,
      address: 'https://www.youtube.com/watch?v=abcdefghijk',
      covers: [],
    })
  })

  it('the texts of a bare media file are those of the person, and their digest says so', () => {
    const tags = tagsOf(info({ extractor_key: 'Generic', webpage_url: words.video_url }), words)
    expect(tags).toEqual({
      title: 'My own title',
      channel: 'My own channel',
      published_at: words.published_at,
      description: 'My own words.',
      address: 'https://kitchen.example/bread.mp4',
      covers: ['https://kitchen.example/bread.jpg'],
      words_hash: wordsHash(words),
    })
  })

  it('the best four pictures of a site are tried, and only those on the web', () => {
    const urls = [
      'data:image/png;base64,AA',
      'file:///etc/passwd',
      ...[1, 2, 3, 4, 5].map(n => `https://i.example/${n}`),
    ]
    const thumbnails = [...urls.map(url => ({ url })), { url: 7 }]
    expect(tagsOf(info({ thumbnails, thumbnail: 'https://i.example/5' }), undefined)?.covers).toEqual([
      'https://i.example/5',
      'https://i.example/4',
      'https://i.example/3',
      'https://i.example/2',
    ])
  })
})

it('only the last hundred of a million pictures that a site lists are read', () => {
  let reads = 0
  const url = (n: number) => ({
    get url() {
      reads += 1
      return `https://i.example/${n}`
    },
  })
  const listed = { ...info({}), thumbnails: Array.from({ length: 1_000_000 }, (_, n) => url(n)) }
  expect(tagsOf(listed, undefined)?.covers[0]).toBe('https://i.example/999999')
  expect(reads).toBeLessThanOrEqual(100)
})

describe('metadataText', () => {
  const tags = {
    title: null,
    channel: null,
    published_at: null,
    description: null,
    address: 'https://a.example',
    covers: [],
  }

  it('every text is one field, whatever characters it contains', () => {
    const title = 'a=b;c#d\\e\nartist=x\n[CHAPTER]'
    expect(metadataText({ ...tags, title }, undefined)).toBe(
      ';FFMETADATA1\ntitle=a\\=b\\;c\\#d\\\\e\\\nartist\\=x\\\n[CHAPTER]\ncomment=https://a.example\n',
    )
  })

  it('control characters are removed, and line breaks are kept', () => {
    const description = 'one\r\ntwo\u2028three\tfour\u0000\u0007\u001b[31m\u009b five \ud800'
    expect(metadataText({ ...tags, description }, undefined)).toContain(
      'description=one\\\ntwo\\\nthree\tfour[31m five \ufffd\n',
    )
  })

  it('a description is cut at 4,000 characters, and never inside a character', () => {
    const line = metadataText({ ...tags, description: `${'x'.repeat(3998)}😀 and more` }, undefined).split('\n')[1]
    expect(line).toBe(`description=${'x'.repeat(3998)}…`)
  })

  it('the chapters come after the texts', () => {
    const text = metadataText({ ...tags, title: 'Bread' }, ';FFMETADATA1\n[CHAPTER]\ntitle=One\n')
    expect(text).toBe(';FFMETADATA1\ntitle=Bread\ncomment=https://a.example\n[CHAPTER]\ntitle=One\n')
  })
})
