/** Which addresses are those of one video, and which only look like it. */
import { describe, expect, it } from 'vitest'
import { addressHash } from '../../../src/domain/downloads/shared-files.ts'

const id = 'a-b_c1D2e3F'
const other = 'b-c_d2E3f4G'
const watch = `https://www.youtube.com/watch?v=${id}`
const uuid = '9c9de5e8-0a1e-484a-b099-e80766180a6d'
const peertube = `https://tube.example/videos/watch/${uuid}`

describe('addresses that a platform defines as those of one video', () => {
  it.each([
    [watch, `https://youtu.be/${id}`],
    [watch, `https://youtu.be/${id}?si=abcdef&t=30`],
    [watch, `https://www.youtube.com/shorts/${id}`],
    [watch, `https://www.youtube.com/shorts/${id}?feature=share`],
    [watch, `https://m.youtube.com/watch?v=${id}&list=PL0123456789ab&index=3`],
    [watch, `http://youtube.com/watch?v=${id}&t=1m30s`],
    [watch, `https://www.youtube.com/live/${id}`],
    [watch, `https://www.youtube-nocookie.com/embed/${id}`],
    [peertube, 'https://tube.example/w/kkGMgK9ZtnKfYAgnEtQxbv'],
    [peertube, `https://tube.example/videos/embed/${uuid}`],
    ['https://www.dailymotion.com/video/x8abcd1', 'https://dai.ly/x8abcd1'],
    ['https://www.dailymotion.com/video/x8abcd1', 'https://www.dailymotion.com/video/x8abcd1_a-title'],
    ['https://www.twitch.tv/videos/123456789', 'https://m.twitch.tv/videos/123456789'],
    ['https://vimeo.com/76979871', 'https://www.vimeo.com/76979871'],
  ])('%s and %s are one video', (one, another) => expect(addressHash(another)).toBe(addressHash(one)))
})

describe('addresses that only look like those of one video', () => {
  it.each([
    // yt-dlp takes `;` for `&`, so it would load the other one.
    [watch, `https://www.youtube.com/watch?list=x;v=${other}&v=${id}`],
    [watch, `https://www.youtube.com/watch?v=${id}&list=x;v=${other}`],
    [watch, `https://www.youtube.com/watch?v=${id}&v=${other}`],
    [watch, `https://www.youtube.com/watch?v=${id}#__youtubedl_smuggle=%7B%7D`],
    [watch, `https://www.youtube.com:8443/watch?v=${id}`],
    [watch, `https://user@www.youtube.com/watch?v=${id}`],
    [watch, `https://www.youtube.com.evil.example/watch?v=${id}`],
    [watch, `https://youtube.example/watch?v=${id}`],
    [watch, `https://front.example/watch?v=${id}`],
    [watch, `https://www.youtube.com/watch?v=${other}`],
    [peertube, `https://other.example/videos/watch/${uuid}`],
    [peertube, `${peertube}?password=x`],
    // The second part is the key to an unlisted video.
    ['https://vimeo.com/76979871', 'https://vimeo.com/76979871/0a1b2c3d4e'],
    ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871?h=1'],
    ['https://videos.example/v1', 'https://videos.example/v1?key=secret'],
    ['https://videos.example/v1', 'http://videos.example/v1'],
    ['https://videos.example/v1', 'https://videos.example/V1'],
    ['https://videos.example/v1', 'https://www.videos.example/v1'],
  ])('%s and %s are two videos', (one, another) => expect(addressHash(another)).not.toBe(addressHash(one)))
})

it('an address that is stored as a hash gets the same hash for ever', () => {
  expect(addressHash('https://videos.example/v1')).toBe('4fe197ed-d47b-95e0-a91e-c7e8e5da6663')
})
