import { posix } from 'node:path'
import { expect, it } from 'vitest'
import { UserId } from '../../src/schema/values/user.ts'
import { besideAmong, isBeside, placeOf, soundPath, subtitlePath, videoIdAt } from '../../src/store/paths.ts'

const user_id = UserId.parse(crypto.randomUUID())

it.each(['..', '.', '../up', 'a/b', 'a\u0000b'])(
  'gives the identifier %j a place inside the folder of its person',
  video_id => {
    const place = placeOf({ user_id, channel_id: video_id, video_id })
    expect(place.split('/')).toHaveLength(3)
    expect(posix.normalize(place)).toBe(place)
    expect(place.startsWith(`${user_id}/`)).toBe(true)
    expect(place).not.toMatch(/\u0000/)
  },
)

it('the subtitles and the sound of a video are beside it', () => {
  const path = 'ann/kitchen/v1.mp4'
  expect(subtitlePath(path, 'en-GB')).toBe('ann/kitchen/v1.en-GB.vtt')
  expect(soundPath(path)).toBe('ann/kitchen/v1.sound')
  const names = ['v1.en-GB.vtt', 'v1.mp4', 'v1.sound', 'v2.sound', 'v1.x.sound', 'v1.-.vtt']
  expect(besideAmong(names)(path)).toEqual(['v1.en-GB.vtt', 'v1.sound'])
  expect(names.filter(name => isBeside(name, path))).toEqual(['v1.en-GB.vtt', 'v1.sound'])
})

it('nothing is beside a sound, so it can be removed alone', () => {
  expect(besideAmong(['v1.en.vtt', 'v1.sound'])('ann/kitchen/v1.sound')).toEqual([])
  expect(isBeside('v1.en.vtt', 'ann/kitchen/v1.sound')).toBe(false)
})

it('no video has its file where the sound of another one is', () => {
  const films = ['v1', 'v1.sound'].map(video_id => placeOf({ user_id, channel_id: 'kitchen', video_id }))
  expect(films).not.toContain(soundPath(films[0] ?? ''))
  expect(videoIdAt(soundPath(films[0] ?? ''))).toBe('v1')
})

it('the subtitles of the video a.en are not those of the video a', () => {
  expect(isBeside('a.en.de.vtt', 'ann/kitchen/a.mp4')).toBe(false)
  expect(isBeside('a.en.de.vtt', 'ann/kitchen/a.en.mp4')).toBe(true)
})
