import { posix } from 'node:path'
import { expect, it } from 'vitest'
import { UserId } from '../../src/schema/values/user.ts'
import { placeOf, subtitleLanguage, subtitlePath } from '../../src/store/paths.ts'

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

it('a subtitle file is next to its video, and names its language', () => {
  const path = subtitlePath('ann/kitchen/v1.mp4', 'en-GB')
  expect(path).toBe('ann/kitchen/v1.en-GB.vtt')
  expect(subtitleLanguage('v1.en-GB.vtt', 'ann/kitchen/v1.mp4')).toBe('en-GB')
})

it('the subtitles of the video a.en are not those of the video a', () => {
  expect(subtitleLanguage('a.en.de.vtt', 'ann/kitchen/a.mp4')).toBeUndefined()
  expect(subtitleLanguage('a.en.de.vtt', 'ann/kitchen/a.en.mp4')).toBe('de')
})
