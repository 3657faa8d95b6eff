/** Addresses from the identifiers of platforms, and the lines of yt-dlp's lists of downloads. */
import { expect, it } from 'vitest'
import { downloadKeyIn, known_platforms, videoOf } from '../../../src/domain/imports/addresses.ts'
import { platformVideoIdOf } from '../../../src/feed/platforms/by-address.ts'

it.each([
  ['youtube', 'jNQXAC9IVRw', 'jNQXAC9IVRw', 'https://www.youtube.com/watch?v=jNQXAC9IVRw'],
  ['Youtube', 'jNQXAC9IVRw', 'jNQXAC9IVRw', 'https://www.youtube.com/watch?v=jNQXAC9IVRw'],
  ['vimeo', '76979871', 'vimeo.76979871', 'https://vimeo.com/76979871'],
  ['youtube.com', 'jNQXAC9IVRw', 'jNQXAC9IVRw', 'https://www.youtube.com/watch?v=jNQXAC9IVRw'],
  ['vimeo.com', 'vimeo.76979871', 'vimeo.76979871', 'https://vimeo.com/76979871'],
  ['twitch.tv', 'twitch.1234567', 'twitch.1234567', 'https://www.twitch.tv/videos/1234567'],
  ['dailymotion', 'x5kesuj', 'dailymotion.x5kesuj', 'https://www.dailymotion.com/video/x5kesuj'],
  ['twitch:vod', 'v1234567', 'twitch.1234567', 'https://www.twitch.tv/videos/1234567'],
  ['bilibili', 'BV1xx411c7mD', 'bilibili.BV1xx411c7mD', 'https://www.bilibili.com/video/BV1xx411c7mD'],
])('%s %s is the video %s', (platform, id, video_id, video_url) => {
  expect(videoOf(platform, id)).toEqual({ video_id, video_url })
})

it('every known platform but Niconico recognises the addresses that are made for it', () => {
  const ids = ['jNQXAC9IVRw', '76979871', 'x5kesuj', 'BV1xx411c7mD', 'v1234567', 'sm9']
  const recognised = known_platforms.filter(platform =>
    ids.some(id => {
      const video = videoOf(platform, id)
      return video && platformVideoIdOf(video.video_url) === video.video_id
    }),
  )
  expect([...recognised, 'niconico'].toSorted()).toEqual(known_platforms.toSorted())
})

it.each([
  ['youtube', 'too-short'],
  ['youtube', 'jNQXAC9IVRw&list=x'],
  ['vimeo', '../../etc'],
  ['constructor', 'jNQXAC9IVRw'],
  ['unknownsite', '12345'],
])('%s %s is no video', (platform, id) => {
  expect(videoOf(platform, id)).toBeUndefined()
})

it.each([
  ['youtube jNQXAC9IVRw', 'youtube jNQXAC9IVRw'],
  ['youtube jNQXAC9IVRw\r', 'youtube jNQXAC9IVRw'],
  ['Vimeo 76979871', 'vimeo 76979871'],
  ['not a line of a list', undefined],
  ['', undefined],
])('the line %o is the download %o', (line, key) => {
  expect(downloadKeyIn(line)).toBe(key)
})
