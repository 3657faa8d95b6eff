import { expect, it } from 'vitest'
import { ListedEntry, LookedVideo } from '../../../src/schema/sources/listing.ts'
import { channelOfList, ListLine, listedEntryOf, lookedVideoOf, VideoLine } from '../../../src/ytdlp/ask/video-info.ts'

const line = (info: object, picture: unknown = null) =>
  VideoLine.parse({ info: { _type: 'url', url: 'https://video.example/v', title: 'A film', ...info }, picture })
const entry = (info: object, picture?: unknown) => listedEntryOf(line(info, picture))

it.each([
  ['a fraction of a second counts as a second', { duration: 61.2 }, { duration_seconds: 62 }],
  ['a length of years is not believed', { duration: 1e12 }, { duration_seconds: null }],
  ['a negative length is not believed', { duration: -1 }, { duration_seconds: null }],
  ['a length that is text counts as missing', { duration: '61' }, { duration_seconds: null }],
  [
    'a live stream that has just ended was live, and its length is not final',
    { live_status: 'post_live', duration: 7200 },
    { live_status: 'was_live', duration_seconds: null },
  ],
  ['an unknown live status counts as missing', { live_status: 'maybe' }, { live_status: null }],
  ['a video for subscribers is for members', { availability: 'subscriber_only' }, { availability: 'members_only' }],
  [
    'a public video for adults is age restricted',
    { availability: 'public', age_limit: 18 },
    { availability: 'age_restricted' },
  ],
  ['a private video for adults is private', { availability: 'private', age_limit: 18 }, { availability: 'private' }],
  ['a title is one line without controls', { title: ' A\n\u0007film  ' }, { title: 'A film' }],
  ['an empty title counts as missing', { title: ' \n' }, { title: null }],
  [
    'a note between extractors is no part of an address',
    { url: 'https://video.example/v#__youtubedl_smuggle=%7B%7D' },
    { video_url: 'https://video.example/v' },
  ],
  [
    'the page counts where the entry has no address of its own',
    { url: 'v1', webpage_url: 'https://video.example/w' },
    { video_url: 'https://video.example/w' },
  ],
])('%s', (_, info, expected) => {
  const read = entry(info)
  expect(read).toMatchObject(expected)
  expect(ListedEntry.safeParse(read).success).toBe(true)
})

it.each([
  ['relative text of YouTube', { ie_key: 'Youtube', timestamp: 1.79e9 }, 'approximate', new Date(1.79e12)],
  ['a time', { ie_key: 'Vimeo', timestamp: 1.79e9 }, 'exact', new Date(1.79e12)],
  ['a day', { upload_date: '20260102' }, 'day', new Date('2026-01-02T00:00:00Z')],
  ['no date', {}, null, null],
  ['a day that does not exist', { upload_date: '20261399' }, null, null],
  ['a day that February does not have', { upload_date: '20240231' }, null, null],
  ['a time in the far future', { timestamp: 1e15 }, null, null],
])('the date of an entry with %s has the right precision', (_, info, published_precision, published_at) => {
  expect(entry(info)).toMatchObject({ published_precision, published_at })
})

it.each(['javascript:alert(1)', 'v1', '', 'https://video.example/%0A', `https://video.example/${'a'.repeat(3000)}`])(
  'an entry with the address %s is left out',
  url => expect(entry({ url })).toBeUndefined(),
)

it('texts and addresses of any length are cut or left out, so that all of it can be stored', () => {
  const info = {
    title: 'x'.repeat(10_000),
    description: 'y'.repeat(100_000),
    channel: 'z'.repeat(10_000),
    channel_id: 'i'.repeat(500),
  }
  const read = lookedVideoOf(
    line({ ...info, _type: 'video', webpage_url: 'https://video.example/v' }, 'file:///etc/passwd'),
  )
  expect(LookedVideo.safeParse(read).success).toBe(true)
  expect(read).toMatchObject({ thumbnail_url: null, channel: { platform_id: null } })
})

it('the picture of a YouTube video is the one that its feed names, because larger ones may be missing', () => {
  const picture = 'https://i.ytimg.com/vi/abcdefghijk/maxresdefault.jpg'
  expect(entry({ ie_key: 'Youtube', id: 'abcdefghijk' }, picture)?.thumbnail_url).toBe(
    'https://i.ytimg.com/vi/abcdefghijk/hqdefault.jpg',
  )
  expect(entry({ ie_key: 'Vimeo', id: 'abcdefghijk' }, picture)?.thumbnail_url).toBe(picture)
})

it('the title of a live video is without the time that yt-dlp adds', () => {
  expect(
    entry({ _type: 'video', webpage_url: 'https://video.example/v', title: 'Live 2026-11-22 17:48', fulltitle: 'Live' })
      ?.title,
  ).toBe('Live')
})

it('the picture of a channel is its avatar, and never a picture of the list', () => {
  const list = (pictures: unknown) => channelOfList(ListLine.parse({ info: { channel: 'A' }, pictures })).image_url
  expect(
    list([
      { id: '0', url: 'https://i.example/banner' },
      { id: 'avatar_uncropped', url: 'https://i.example/a' },
    ]),
  ).toBe('https://i.example/a')
  expect(list([{ id: '0', url: 'https://i.example/banner' }])).toBeNull()
  expect(list('none')).toBeNull()
})
