/** What a person reads when an address is no single video. */
import { describe, expect, it } from 'vitest'
import { lookUp } from '../../../src/domain/videos/look.ts'
import { DomainError } from '../../../src/errors.ts'
import type { LookResult } from '../../../src/ytdlp/ask/look-at.ts'
import { type Failure, failures, withoutTools } from '../../../src/ytdlp/failures/failure.ts'
import { failureOf } from '../../../src/ytdlp/failures/read-error.ts'

const of = { platform_id: null, title: null, page_url: null, image_url: null }
const look = (result: LookResult, url = 'https://h.example/1') => lookUp(async () => result, { url, whose: '' })
const refusal = async (failure: Failure) => {
  const looked = await look({ failure })
  return 'refusal' in looked ? looked.refusal : undefined
}

describe('several videos', () => {
  it.each([
    ['https://www.youtube.com/playlist?list=PLabcdefghijklmnop', 12, 'This is a playlist with 12 videos: Bread.', true],
    ['https://www.youtube.com/playlist?list=PLabcdefghijklmnop', null, 'This is a playlist: Bread.', true],
    ['https://www.youtube.com/@slow', null, 'This is a channel: Bread.', true],
    ['https://h.example/sets/bread', 1, 'This is a playlist with 1 video: Bread.', true],
    ['https://x.com/slow/status/12', 3, 'This post has 3 videos.', false],
    ['https://www.tiktok.com/@slow', 30, 'This is a channel: Bread.', false],
    ['https://h.example/blog/bread', 3, 'This page has 3 videos.', false],
    ['https://h.example/blog/bread', null, 'This page has several videos.', false],
  ])('%s with %s videos is described as "%s"', async (url, count, sentence, can_follow) => {
    const list = { title: 'Bread', count, channel: of }
    expect(await look({ list }, url)).toEqual({ list: { title: 'Bread', count, can_follow, sentence } })
  })
})

describe('no video', () => {
  it('a private video is refused for good, with a sentence', async () => {
    const private_video = failureOf({
      said: "ERROR: [youtube] abc: Private video. Sign in if you've been granted access",
    })
    expect(await refusal(private_video)).toMatchObject({ status: 422, message: expect.stringContaining('is private') })
  })

  it.each([
    [
      failureOf({ said: 'ERROR: HTTP Error 429: Too Many Requests', site: 'h.example' }),
      502,
      'h.example asked us to slow down',
    ],
    [withoutTools('yt-dlp'), 503, 'not ready yet'],
    [failures.not_started, 503, 'not set up correctly'],
    [failures.silent, 504, 'did not answer in time'],
    [failures.refused_address, 422, 'does not lead to a public site'],
    [failureOf({ said: 'ERROR: [youtube] abc: Premieres in 3 days' }), 422, 'not out yet'],
    [
      failureOf({ said: 'ERROR: Join this channel to get access to members-only content' }),
      422,
      'members of the channel',
    ],
    [failureOf({ said: 'ERROR: Sign in to confirm your age' }), 422, 'signed in on the site'],
    [failures.disk_full, 503, 'disk of this server'],
    [failures.not_writable, 503, 'disk of this server'],
    [failures.storage_away, 503, 'disk of this server'],
  ])('the failure "$sentence" is answered with %s', async (failure, status, words) => {
    expect(await refusal(failure)).toMatchObject({ status, message: expect.stringContaining(words) })
  })

  it('a look that got no turn does not blame the site', async () => {
    const busy = new DomainError('unavailable', 'Too many links.', { retry_after_s: 60 })
    const looked = await lookUp(() => Promise.reject(busy), { url: 'https://h.example/', whose: '' })
    expect(looked).toEqual({ refusal: busy })
  })

  it('a look that takes too long ends with a sentence', async () => {
    const lookAt = ({ signal }: { signal: AbortSignal }) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
    const looked = await lookUp(lookAt, { url: 'https://h.example/', whose: '', signal: AbortSignal.timeout(1) })
    expect(looked).toMatchObject({ refusal: { status: 504 } })
  })
})
