/** What info files, NFO files, YT Zero's files and tags say about a video. */
import { describe, expect, it } from 'vitest'
import {
  infoFileMetadata,
  joinedMetadata,
  namedVideo,
  nfoMetadata,
  tagMetadata,
  ytZeroMetadata,
} from '../../../src/domain/imports/metadata.ts'
import { entryOfLook } from '../../../src/domain/videos/looked-entry.ts'

const url = 'https://www.youtube.com/watch?v=jNQXAC9IVRw'
const video = { video_id: 'jNQXAC9IVRw', video_url: url }
const info = {
  id: 'jNQXAC9IVRw',
  extractor: 'youtube',
  webpage_url: url,
  title: 'Me at the zoo',
  description: 'Elephants',
  channel: 'jawed',
  channel_id: 'UC4QobU6STFB0P71PMvOGN5A',
  channel_url: 'https://www.youtube.com/channel/UC4QobU6STFB0P71PMvOGN5A',
  upload_date: '20050424',
  duration: 19,
  availability: 'public',
  _type: 'video',
}

describe('an info file', () => {
  it.each([
    ['of yt-dlp', info, video],
    ['with nothing but the id', { id: 'jNQXAC9IVRw' }, video],
    [
      'of another known site, without an address',
      { id: '76979871', extractor_key: 'Vimeo' },
      { video_id: 'vimeo.76979871', video_url: 'https://vimeo.com/76979871' },
    ],
    ['of an unknown site, without an address', { id: '12345', extractor: 'somesite' }, undefined],
    ['with an address that is no web address', { ...info, id: 'x', webpage_url: 'file:///etc/passwd' }, undefined],
    ['with fields of wrong types', { id: 5, webpage_url: url, title: {} }, video],
  ])('%s names %o', (_, json, named) => {
    const metadata = infoFileMetadata(JSON.stringify(json))
    expect(metadata && namedVideo(metadata)).toEqual(named)
  })

  it.each(['', 'not JSON', '[]', 'null', JSON.stringify({ ...info, _type: 'playlist' })])('%o is none', text => {
    expect(infoFileMetadata(text)).toBeUndefined()
  })

  it('an info file may begin with a byte order mark', () => {
    expect(infoFileMetadata(`\ufeff${JSON.stringify(info)}`)?.info.title).toBe('Me at the zoo')
  })
})

describe('an NFO file', () => {
  const nfo = (ids: string) =>
    `<?xml version="1.0" encoding="UTF-8"?><episodedetails><title>A &amp; B</title><showtitle>jawed</showtitle><plot>Ele\nphants</plot><aired>2005-04-24</aired>${ids}</episodedetails>`

  it.each([
    ['of Pinchflat', nfo('<uniqueid type="youtube" default="true">jNQXAC9IVRw</uniqueid>'), video],
    ['of TubeSync', nfo('<uniqueid type="Youtube" default="True">jNQXAC9IVRw</uniqueid>'), video],
    [
      'with several ids',
      nfo('<uniqueid type="imdb">tt1</uniqueid><uniqueid type="youtube">jNQXAC9IVRw</uniqueid>'),
      video,
    ],
    ['of a series', nfo('<uniqueid type="tvdb">12345678901</uniqueid>'), undefined],
    ['without an id', nfo(''), undefined],
  ])('%s names %o', (_, text, named) => {
    const metadata = nfoMetadata(text)
    expect(metadata?.info).toMatchObject({ title: 'A & B', channel: 'jawed', upload_date: '20050424' })
    expect(metadata && namedVideo(metadata)).toEqual(named)
  })

  it.each([
    '',
    'release notes of a group',
    '<tvshow><uniqueid type="youtube">jNQXAC9IVRw</uniqueid></tvshow>',
    '<!DOCTYPE movie [<!ENTITY a SYSTEM "file:///etc/passwd">]><movie><title>&a;</title></movie>',
  ])('%o is none', text => {
    expect(nfoMetadata(text)).toBeUndefined()
  })
})

describe('tags', () => {
  it.each([
    ['yt-dlp, in Matroska', { purl: url, comment: 'words', title: 't' }, video],
    ['yt-dlp, in MP4', { comment: url }, video],
    [
      'an address of an unknown site in purl',
      { purl: 'https://videos.example/a/b' },
      { video_id: expect.stringMatching(/^b\./), video_url: 'https://videos.example/a/b' },
    ],
    ['the address of an encoder', { comment: 'https://www.example.com' }, undefined],
    ['words with an address', { comment: `see ${url}` }, undefined],
    ['an address in the description', { description: url }, undefined],
  ])('of %s name %o', (_, tags, named) => {
    expect(namedVideo(tagMetadata(new Map(Object.entries(tags))))).toEqual(named)
  })
})

it('a file of YT Zero names the video', () => {
  const metadata = ytZeroMetadata(JSON.stringify({ schemaVersion: 1, videoId: 'jNQXAC9IVRw', file: 'a.mp4' }))
  expect(metadata && namedVideo(metadata)).toEqual(video)
  expect(ytZeroMetadata('{}')).toBeUndefined()
})

describe('joined', () => {
  const tags = tagMetadata(
    new Map(Object.entries({ title: 'From tags', artist: 'Artist', date: '20240505', description: 'd' })),
  )

  it('the info file comes before the tags, and says nothing about who may watch the video now', () => {
    const file = infoFileMetadata(JSON.stringify(info))
    const joined = joinedMetadata(file ? [file, tags] : [], url)
    expect(joined).toMatchObject({
      video_url: url,
      title: 'Me at the zoo',
      description: 'Elephants',
      duration_seconds: 19,
      published_at: new Date('2005-04-24T00:00:00Z'),
      published_precision: 'day',
      availability: null,
      thumbnail_url: 'https://i.ytimg.com/vi/jNQXAC9IVRw/hqdefault.jpg',
      channel: { platform_id: 'UC4QobU6STFB0P71PMvOGN5A', title: 'jawed' },
    })
  })

  it('videos of which only the artist is known are in one channel for each artist', () => {
    const [first, second] = ['Artist', 'Another'].map(artist => {
      const joined = joinedMetadata([tagMetadata(new Map([['artist', artist]]))], url)
      return joined && entryOfLook(joined, url).channel
    })
    expect([first?.title, second?.title]).toEqual(['Artist', 'Another'])
    expect(first?.channel_id).not.toBe(second?.channel_id)
  })

  it('texts that are too long or have controls are cut and cleaned', () => {
    const joined = joinedMetadata([tagMetadata(new Map([['title', `a\u0000\n${'b'.repeat(900)}`]]))], url)
    expect(joined?.title?.length).toBe(500)
    expect(joined?.title).toMatch(/^a b/)
  })
})
