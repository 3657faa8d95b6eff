import { describe, expect, it } from 'vitest'
import { DownloadError } from '../../src/schema/download.ts'
import { failureOf } from '../../src/ytdlp/failure.ts'
import { table, unknown } from '../../src/ytdlp/failure-table.ts'

describe('failureOf', () => {
  it.each([
    ['permanent', 'ERROR: [youtube] abc: Video unavailable. This video has been removed by the uploader'],
    ['permanent', 'ERROR: [youtube] abc: This video is no longer available due to a copyright claim'],
    ['permanent', 'ERROR: [youtube] abc: Private video. Sign in if you have been granted access to this video'],
    ['permanent', 'ERROR: [youtube] abc: Join this channel to get access to members-only content like this video'],
    ['permanent', 'ERROR: [youtube] abc: The uploader has not made this video available in your country'],
    ['permanent', 'ERROR: [x] abc: This video is DRM protected'],
    ['permanent', 'ERROR: Unsupported URL: https://example.org/captcha'],
    [
      'permanent',
      'ERROR: [generic] a: Unable to download webpage: HTTP Error 404: Not Found (caused by <HTTPError 404: Not Found>)',
    ],
    ['permanent', 'ERROR: [generic] a: Unable to download webpage: HTTP Error 403: Address not allowed'],
    ['permanent', 'ERROR: [x] a: Unable to connect: Tunnel connection failed: 403 Address not allowed'],
    ['scheduled', 'ERROR: [youtube] abc: Premieres in 3 hours'],
    ['scheduled', 'ERROR: [youtube] abc: This live event will begin in a few moments.'],
    ['operator', "ERROR: [youtube] abc: Sign in to confirm you're not a bot. Use --cookies-from-browser"],
    ['operator', 'ERROR: [youtube] abc: Sign in to confirm your age. This video may be inappropriate for some users.'],
    [
      'operator',
      'ERROR: You have requested merging of multiple formats but ffmpeg is not installed. Aborting due to --abort-on-error',
    ],
    ['rate_limited', 'ERROR: [x] abc: Unable to download JSON metadata: HTTP Error 429: Too Many Requests'],
    ['rate_limited', 'ERROR: [youtube] abc: Your account has been rate-limited by YouTube'],
    ['transient', 'ERROR: unable to download video data: HTTP Error 403: Forbidden'],
    ['transient', 'ERROR: [generic] a: Unable to download webpage: HTTP Error 502: Host not found'],
    ['transient', 'ERROR: [x] a: Unable to download webpage: The read operation timed out'],
    ['transient', 'ERROR: [Errno 104] Connection reset by peer'],
    ['transient', 'ERROR: [youtube] abc: Video unavailable'],
    ['transient', 'ERROR: fragment 3 not found, unable to continue'],
    ['local', 'ERROR: unable to write data: [Errno 28] No space left on device'],
    ['local', 'ERROR: unable to open for writing: [Errno 13] Permission denied: video.mp4.part'],
    ['transient', 'ERROR: something nobody has seen before'],
    ['transient', ''],
  ])('takes for %s: %s', (kind, said) => {
    expect(failureOf({ said }).kind).toBe(kind)
  })

  it('judges what is said of a video, not its address or id', () => {
    expect(
      failureOf({ said: 'ERROR: [site] private-video: Connection reset by https://example.org/copyright' }).kind,
    ).toBe('transient')
  })

  it('keeps for the log one short line, without paths, machines and control characters', () => {
    const said = `ERROR: \u001b[31mcannot\u001b[0m open /srv/data/alice/video.mp4\u0000 from 10.0.0.7:80 of https://example.org/a/b ${'🎬'.repeat(900)}`

    const { detail } = failureOf({ said })

    expect(detail).toMatch(/^ERROR: cannot open … from … of https:\/\/example.org\/a\/b 🎬/)
    expect(detail.length).toBeLessThanOrEqual(1000)
    expect(detail.isWellFormed()).toBe(true)
  })

  it('knows what was stopped by us', () => {
    expect(failureOf({ said: 'x', stopped: 'silent' }).kind).toBe('transient')
    expect(failureOf({ said: 'x', stopped: 'too_long' }).kind).toBe('permanent')
  })
})

it.each([...table, unknown].map(({ sentence }) => sentence))(
  'says what fits the column and needs no dictionary: %s',
  sentence => {
    expect(DownloadError.safeParse(sentence).success).toBe(true)
    expect(sentence).not.toMatch(/yt-dlp|ffmpeg|http|error|proxy|format|codec/i)
    expect(sentence).toMatch(/\.$/)
  },
)
