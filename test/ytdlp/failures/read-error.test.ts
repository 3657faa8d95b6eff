/** The errors of yt-dlp and ffmpeg, and what each is taken for. */
import { describe, expect, it } from 'vitest'
import { failures } from '../../../src/ytdlp/failures/failure.ts'
import { errorListener, failureOf } from '../../../src/ytdlp/failures/read-error.ts'

describe('failureOf', () => {
  it.each([
    ['permanent', 'ERROR: [youtube] abc: Video unavailable. This video has been removed by the uploader'],
    ['permanent', 'ERROR: [youtube] abc: This video is no longer available due to a copyright claim'],
    ['permanent', 'ERROR: [youtube] abc: Private video. Sign in if you have been granted access to this video'],
    ['permanent', 'ERROR: [youtube] abc: Join this channel to get access to members-only content like this video'],
    ['permanent', 'ERROR: [youtube] abc: The uploader has not made this video available in your country'],
    ['permanent', 'ERROR: [x] abc: This video is DRM protected'],
    ['permanent', 'ERROR: Unsupported URL: https://example.org/captcha'],
    ['permanent', 'ERROR: ffmpeg would get cookies or headers of this stream as arguments'],
    [
      'operator',
      'ERROR: ffmpeg would get cookies or headers of this stream as arguments, and pycryptodomex is missing',
    ],
    [
      'permanent',
      'ERROR: [generic] a: Unable to download webpage: HTTP Error 404: Not Found (caused by <HTTPError 404: Not Found>)',
    ],
    ['transient', 'ERROR: [x] a: Unable to connect: Tunnel connection failed: 403 Address not allowed'],
    ['permanent', 'ERROR: [vimeo] 1: This video is protected by a password, use the --video-password option'],
    ['scheduled', 'ERROR: [youtube] abc: This live event has ended.'],
    ['rate_limited', 'ERROR: [x] abc: Your IP address is blocked from accessing this'],
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
    ['rate_limited', "ERROR: [youtube] abc: This content isn't available, try again later."],
    ['local', 'ERROR: unable to write data: [Errno 36] File name too long'],
    ['local', 'ERROR: unable to write data: [Errno 5] Input/output error'],
    ['permanent', 'ERROR: [x] abc: Unable to download webpage: HTTP Error 451: Unavailable For Legal Reasons'],
    ['permanent', 'ERROR: [x] abc: Unable to download webpage: HTTP Error 402: Payment Required'],
    ['permanent', 'ERROR: [x] abc: Video does not exist'],
    ['permanent', 'ERROR: [youtube] abc: Video unavailable. This account has been suspended'],
    ['transient', 'ERROR: unable to download video data: HTTP Error 416: Requested range not satisfiable'],
    ['transient', 'ERROR: Did not get any data blocks'],
    ['operator', 'ERROR: Postprocessing: ffprobe and ffmpeg not found. Please install or provide the path'],
    [
      'operator',
      'ERROR: [youtube] abc: Unable to extract player response; please report this issue on https://github.com/yt-dlp/yt-dlp/issues, filling out the template. Confirm you are on the latest version using yt-dlp -U',
    ],
    [
      'transient',
      'ERROR: [youtube] abc: Unable to download API page: timed out; please report this issue on https://github.com/yt-dlp/yt-dlp/issues',
    ],
    ['local', 'ERROR: unable to open for writing: [Errno 13] Permission denied: video.mp4.part'],
    ['outage', 'ERROR: unable to open for writing: [Errno 30] Read-only file system: video.mp4.part'],
    ['outage', 'ERROR: unable to write data: [Errno 116] Stale file handle'],
    ['transient', 'ERROR: something never seen before'],
    ['transient', ''],
  ])('reads a %s failure from: %s', (kind, said) => {
    expect(failureOf({ said }).kind).toBe(kind)
  })

  it('judges what an error says of a video, not the address or id in it', () => {
    expect(
      failureOf({ said: 'ERROR: [site] private-video: Connection reset by https://example.org/copyright' }).kind,
    ).toBe('transient')
  })

  it.each([
    'ERROR: unable to download video data: HTTP Error 403: Forbidden',
    'ERROR: [generic] a: Unable to download webpage: HTTP Error 403: Forbidden (caused by <HTTPError 403: Forbidden>)',
    'ERROR: [generic] a: Unable to download webpage: HTTP Error 403: Address not allowed',
  ])('reports a 403 as a 403, by the name of the site: %s', said => {
    expect(failureOf({ said, site: 'example.com' })).toMatchObject({
      kind: 'transient',
      sentence: 'Access denied by example.com (403).',
    })
    expect(failureOf({ said }).sentence).toBe('Access denied by the site (403).')
  })

  it('names the site at the beginning of a sentence, and begins with a capital where the site is unknown', () => {
    const said = 'ERROR: HTTP Error 429: Too Many Requests'
    expect(failureOf({ said, site: 'example.com' }).sentence).toBe('example.com asked us to slow down.')
    expect(failureOf({ said }).sentence).toBe('The site asked us to slow down.')
  })

  it('does not take a site’s own 403 for a refusal of our proxy, whatever words the site borrows', () => {
    const forged = failureOf({ said: 'ERROR: [x] a: HTTP Error 403: Address not allowed', site: 'example.com' })
    expect(forged.sentence).not.toContain('public site')
  })

  it.each(['Retry-After: 86400', 'Try again in 5 minutes', 'rate-limited for up to an hour'])(
    'takes no waiting time from the words of a site: %s',
    said => {
      expect(Object.keys(failureOf({ said: `ERROR: [x] a: HTTP Error 429. ${said}` })).toSorted()).toEqual([
        'detail',
        'kind',
        'reason',
        'sentence',
      ])
    },
  )

  it.each([
    ['members', 'ERROR: [youtube] abc: Join this channel to get access to members-only content'],
    ['private', 'ERROR: [youtube] abc: Private video. Sign in if you have been granted access to this video'],
    ['bot_check', "ERROR: [youtube] abc: Sign in to confirm you're not a bot. Use --cookies-from-browser"],
    ['sign_in', 'ERROR: [youtube] abc: Sign in to confirm your age.'],
    ['geography', 'ERROR: [youtube] abc: The uploader has not made this video available in your country'],
    [
      'geography',
      'ERROR: [youtube] abc: Video unavailable. This video contains content from SME, who has blocked it in your country on copyright grounds',
    ],
    ['geography', 'ERROR: [x] abc: This video is no longer available in your region'],
    [
      'unavailable',
      'ERROR: [youtube] abc: Video unavailable. This video contains content from SME, who has blocked it on copyright grounds',
    ],
    [
      'unavailable',
      'ERROR: [youtube] abc: Video unavailable. Playback on other websites has been disabled by the video owner',
    ],
    ['processing', 'ERROR: [youtube] abc: This live stream has ended'],
    ['processing', "ERROR: [youtube] abc: Video unavailable. We're processing this video. Check back later."],
    ['processing', 'ERROR: [youtube] abc: Sorry about that. This video is still being processed'],
    ['premiere', 'ERROR: [youtube] abc: Premieres April 5, 2027'],
    ['live', 'ERROR: [youtube] abc: Offline.'],
    ['unavailable', 'ERROR: [youtube] abc: This live stream recording is not available.'],
    ['unavailable', 'ERROR: [youtube] abc: This video is unavailable'],
    ['unavailable', 'ERROR: [youtube] abc: This video isn’t available anymore'],
    ['unavailable', 'ERROR: [youtube] abc: Error 152 - 4. This video is unavailable'],
    ['unavailable', 'ERROR: [youtube] abc: Error code: 153. Video player configuration error'],
    [
      'unavailable',
      'ERROR: [youtube] abc: This video is restricted. Please check the Google Workspace administrator and/or the network administrator restrictions.',
    ],
    ['unavailable', 'ERROR: [twitch:stream] x: The channel is not currently live'],
    ['unavailable', 'ERROR: [vimeo] 1: Because of its privacy settings, this video cannot be played here'],
    ['unavailable', 'ERROR: Postprocessing: Error opening input files: Invalid data found when processing input'],
    ['members', 'ERROR: [twitch:vod] v1: Subscriber-only video. Use --cookies'],
    ['members', 'ERROR: [BiliBili] BV1: This is a supporter-only video: 充电. Use --cookies'],
    ['removed', 'ERROR: [youtube] abc: Uploader has closed their YouTube account'],
    ['removed', 'ERROR: [youtube] abc: This video was removed because it was too long'],
    ['removed', 'ERROR: [twitter] 1: Suspended'],
    ['site_trouble', 'ERROR: [twitter] 1: Error(s) while querying API: Dependency: Internal error'],
    ['site_trouble', 'ERROR: Conflicting range. (start=100 > end=50)'],
    ['site_trouble', 'ERROR: [x] abc: Unable to download webpage: [Errno 107] Transport endpoint is not connected'],
    ['rate_limited', 'ERROR: [x] abc: You have requested too many times, please wait'],
    ['tools', "ERROR: Postprocessing: [Errno 2] No such file or directory: 'ffprobe'"],
    ['no_room', 'ERROR: unable to write data: [Errno 28] No space left on device'],
    ['no_room', 'ERROR: Cannot write video metadata to JSON file /downloads/video.info.json'],
    ['extraction', 'ERROR: [youtube] abc: Unable to extract player response'],
    ['tools', 'ERROR: Postprocessing: ffprobe and ffmpeg not found.'],
    ['site_trouble', 'ERROR: [x] abc: HTTP Error 503: Service Unavailable'],
    ['removed', 'ERROR: [youtube] abc: Video unavailable. This account has been suspended'],
    ['unknown', 'ERROR: hm'],
  ])('reads the reason %s from: %s', (reason, said) => {
    expect(failureOf({ said }).reason).toBe(reason)
  })

  it.each([
    "ERROR: unable to open for writing: [Errno 107] Transport endpoint is not connected: 'x.part'",
    "ERROR: unable to open for writing: [Errno 116] Stale file handle: 'x.part'",
    "ERROR: unable to rename file: [Errno 2] No such file or directory: 'video.mp4.part' -> 'video.mp4'",
  ])('a folder that goes away during a download is storage that does not answer: %s', said => {
    expect(failureOf({ said })).toMatchObject({ kind: 'outage', sentence: failures.storage_away.sentence })
  })

  it.each([
    ['Playback on other websites has been disabled by the video owner', 'only on youtube.com'],
    ['Because of its privacy settings, this video cannot be played here', 'only on youtube.com'],
    ['who has blocked it from display on this website or application', 'only on youtube.com'],
    ['who has blocked it on copyright grounds', 'owner of the rights'],
    ['The channel is not currently live', 'nothing to download'],
    ['Please check the Google Workspace administrator', 'The network of this server'],
    ['This live event has ended.', 'recording is not ready'],
    [
      'Sign in to confirm you are not a bot',
      "youtube.com is asking for a bot check, so this can't be downloaded now. Watch it on youtube.com.",
    ],
    ['Sign in to confirm your age', 'You need to be signed in on youtube.com to see this video.'],
    ['not made available in your country', "Not available in your server's country."],
    ['This video is available to members-only', "Members only. We'll keep checking."],
    ['certificate verify failed', 'The certificate of youtube.com is not valid. Nothing was downloaded.'],
    ["We're processing this video. Check back later.", 'still processing'],
  ])('says what "%s" means', (said, sentence) => {
    expect(failureOf({ said: `ERROR: [youtube] abc: ${said}`, site: 'youtube.com' }).sentence).toContain(sentence)
  })

  it.each([
    ['Premieres in 21 hours', 75_600],
    ['This live event will begin in 3 days.', 259_200],
    ['Premieres in an hour', 3600],
    ['Stream starts in 3 hours', 10_800],
    ['The event begins at 2026-12-01 13:00 UTC', 3600],
    ['This live event will begin in a few moments.', undefined],
    ['HTTP Error 503, back in 2 hours', undefined],
    ['This program is scheduled to start at 2026-12-02 05:00 JST', 8 * 3600],
    ['This live event is scheduled for 2026-12-01T16:00:00.250000+01:00', 3 * 3600],
    ['This livestream is scheduled to start at 2026-12-01 18:30:00 UTC', 6.5 * 3600],
    ['The video will be available after 2026/12/24 20:00 +09:00', 23 * 86_400 - 3600],
    ['This event will start at 2026-11-30T20:00:00Z', undefined],
    ['This livestream has not yet started', undefined],
    ['This film will be released on 9999-99-99 99:99', undefined],
  ])('reads when a video is published: %s', (said, seconds) => {
    const now = new Date('2026-12-01T12:00:00Z')
    expect(failureOf({ said: `ERROR: [youtube] abc: ${said}`, now }).starts_in_s).toBe(seconds)
  })

  it('takes a time without a zone for one of this machine, as yt-dlp writes it', () => {
    const now = new Date(2026, 11, 1, 18)
    const said = 'ERROR: [site] 1: Stream is offline; scheduled for 2026-12-01 20:00:00'
    expect(failureOf({ said, now }).starts_in_s).toBe(7200)
  })
})

describe('errorListener', () => {
  const judged = (asked: string, line: string) => {
    const errors = errorListener(asked)
    errors.hear(line)
    return failureOf({ said: errors.said() }).reason
  }
  const refused = 'Unable to download webpage: [Errno 111] Connection refused'

  it.each([
    ['http://www.youtube.com/watch/AAAAAAAAAA1/x%20HTTP%20Error%20429%20y', 'x HTTP Error 429 y'],
    ['https://www.youtube.com:8444/watch/AAAAAAAAAA1/x%20has%20been%20removed%20y', 'x has been removed y'],
    ['https://videos.example/x%20premieres%20in%2012%20months%20y.mp4', 'x premieres in 12 months y'],
    ['https://videos.example/a%2520private%2520video', 'a private video'],
    ['https://videos.example/watch?v=not%20a%20bot:%20captcha', 'watch?v=not a bot: captcha'],
    ['https://videos.example/#sign in', '#sign in'],
    ['https://videos.example/w/live%20stream%2F%20has%20ended', 'live stream/ has ended'],
    ['https://videos.example/rate%252Flimit?x', 'rate/limit'],
  ])('takes no word from the requested address %s', (asked, id) => {
    expect(judged(asked, `ERROR: [generic] ${id}: ${refused}`)).toBe('site_trouble')
  })

  it('judges what the site says although a part of the address is one of its words', () => {
    expect(judged('https://videos.example/video/private', 'ERROR: [x] private: This video is private')).toBe('private')
  })

  it('takes a missing browser to imitate for no reason where yt-dlp only warns of it', () => {
    const errors = errorListener('https://videos.example/a')
    errors.hear('WARNING: [x] a: The extractor is attempting impersonation, but no impersonate target is available.')
    expect(errors.warned()).toBe('')
    errors.hear('WARNING: [x] a: HTTP Error 429: Too Many Requests')
    errors.hear('ERROR: [x] a: Failed to extract any player response')
    expect(failureOf({ said: errors.said() }).reason).toBe('rate_limited')
  })

  const vpn = 'You might want to use a VPN or a proxy server (with --proxy) to workaround.'
  it.each([
    [
      'the sentence below the error',
      ['ERROR: [x] a: Rights denied', 'This video is available in Japan.', vpn],
      'geography',
    ],
    ['the error alone', ['ERROR: [x] a: Rights denied'], 'unknown'],
    ['the error that came last', ['ERROR: [x] a: Rights denied', vpn, 'ERROR: [x] b: HTTP Error 429'], 'rate_limited'],
    ['no sentence without an error', [vpn, 'ERROR: [x] a: Rights denied'], 'unknown'],
  ])('knows a country that a site refuses by what yt-dlp adds: %s', (_, lines, reason) => {
    const errors = errorListener('https://videos.example/a')
    for (const line of lines) errors.hear(line)
    expect(failureOf({ said: errors.said() }).reason).toBe(reason)
  })
})
