/** The table of errors, held against the words of many sites and against all that the extractors of the yt-dlp in use can say. */
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Reason } from '../../../src/schema/downloads/run.ts'
import { failureOf } from '../../../src/ytdlp/failures/read-error.ts'
import { toolsForTests } from '../../support/process/tools.ts'

const reasonOf = (text: string): Reason => failureOf({ said: `ERROR: [site] 4711: ${text}` }).reason

it.each<[Reason, string[]]>([
  [
    'premiere',
    [
      'This live broadcast has not yet started',
      "The concert hasn't started yet",
      'The stream has not begun',
      'This episode has yet to be released',
      'This show is scheduled to air at 2026-12-01 20:00 JST',
      'Stream is offline; scheduled for 2026-12-01 20:00:00',
      'This content is scheduled to be released at noon. Use --cookies for the authentication',
      'The video will be available after 2026/12/24 20:00 +09:00',
      'This film will be released on 24 December',
      'This video is not available yet. Release date: 2026-12-24',
      'Only available from 24 December',
      'Available starting Dec 24',
      'The trailer is coming soon',
      'This video is not yet available. Please try again later.',
      'This clip is not live yet',
      'Stream starts in 3 hours',
      'Stream begins at 20:00 UTC',
      'The premiere starts tomorrow',
      'This episode airs on Monday',
      'Starts in two hours',
      'The show goes live at noon',
    ],
  ],
  [
    'live',
    [
      'This video is only available after 20:00',
      'This video is only available for age verified users or after 22:00. Use --cookies for the authentication',
      'To protect children, this video is only available between 8 p.m. and 6 a.m.',
    ],
  ],
  [
    'processing',
    [
      'This video is processing',
      'It may still be uploading or processing',
      'Your clip is being transcoded',
      'This video is encoding',
      'The recording is currently converting',
      'Space ended but not downloadable yet',
      'This event has ended, and the archive will be available shortly',
      'The broadcast ended. There is no recording yet',
      'Livestream has ended and downloadable VOD is not available',
      'The event is over',
      'Live event finished',
      'This broadcast has finished',
      'Livestream finished',
      'The concert stream has concluded',
      'The webinar was already over',
    ],
  ],
  [
    'removed',
    [
      'This event has ended and there is no archive for this event',
      'The stream ended and its replay is disabled',
      'Live was ended, there is no video for download.',
      'The broadcast has finished and no replay is offered',
      'Video was deleted',
      'This post was taken down by its author',
      'The episode is no longer online',
    ],
  ],
  [
    'not_found',
    [
      'Video 123456789 does not exist',
      "The VOD you asked for doesn't exist",
      'Broadcast no longer exists',
      'Content not found; it has most likely expired',
      'The recording has expired',
      'Channel "kitchen" not found',
    ],
  ],
  [
    'geography',
    [
      'This video is not available due to geoblocking',
      'Sorry, this content is not available in your area',
      'This song is blocked in this region',
      'This video is only available in Sweden',
      'Sorry, this video is available in China only',
      'This programme cannot be watched outside the United Kingdom',
      'Licensed only for viewers in Japan',
      'This film is no longer available in Germany',
      'Access to this webpage has been blocked by decision of the Russian government.',
      'Only available in Sweden',
      'Restricted to Japan',
      'Not available in Germany',
      'Blocked in France',
      'Outside of Canada this film cannot be watched',
      'This video is restricted by region',
      'Region-locked content',
      'Not shown here because of regional restrictions',
      'Access is limited to certain countries',
      'The episode is geographically restricted',
    ],
  ],
  [
    'members',
    [
      'You do not have access to this post',
      "Your account doesn't have access to this event",
      'This content is only available for subscribers',
      'Reserved for patrons of this creator',
      'This video requires a channel subscription. Use --cookies for the authentication',
      'A membership is required',
      'Your account does not have tickets to this event',
      'This video is paid, subscribe to download it',
      'This content is for subscribers',
      'You must be a subscriber',
      'You need a subscription',
      'You must have a subscription',
      'Become a member to watch',
      'You need to buy this video',
      'This is a paid video',
      'You have to become a paying supporter',
      'Rent this film to watch it',
      'This is a premium-only stream',
      'You are not a ticketholder for this show',
      'Available to members',
      'Subscribe to continue',
    ],
  ],
  [
    'private',
    [
      'This VOD is private',
      'This event has not been made available to anyone',
      "This user's account is private. Log into an account that has access. Use --cookies for the authentication",
      'This playlist is private',
      'The video was made private by its owner',
      'This is a private channel',
      'The clip has been set to private',
    ],
  ],
  ['password', ['This recording is protected by a passcode', 'This album requires a password']],
  [
    'rate_limited',
    [
      'Request is blocked by server (412), please wait and try later.',
      'Request is rejected by server (352)',
      'Your IP address is unable to access the API',
      'Unable to download webpage: HTTP Error 412: Precondition Failed',
    ],
  ],
  [
    'fingerprint',
    [
      'This request has been blocked due to its TLS fingerprint. Install a required impersonation dependency if possible, or else if you are okay with compromising your security/cookies, try replacing "https:"',
      'Got HTTP Error 403 caused by Cloudflare anti-bot challenge; see how to install the required impersonation dependency',
      'The extractor is attempting impersonation, but no impersonate target is available. See  https://example.org  for the dependencies',
      'Attempting impersonation, but none of these impersonate targets are available: chrome, safari',
      'Unable to download webpage: Impersonate target "chrome" is not available. See --list-impersonate-targets',
    ],
  ],
  ['bot_check', ['Got HTTP Error 403 caused by Cloudflare anti-bot challenge; try again']],
  [
    'unavailable',
    ['User is offline', 'This stream is not live', 'Model is in a private show', 'This tweet is unavailable'],
  ],
  [
    'sign_in',
    [
      'You are either not logged in or do not have access to this scene',
      'Adult content. Log in to see it',
      'Log into your account to watch this',
      'You have to be 18 years old',
      'You must be at least 18 to watch',
      'Only for viewers of 16 years of age or more',
      'Not for everybody. Log in for access',
      'You must be signed in',
    ],
  ],
  ['unsupported', ['This article does not contain a video', 'No video/audio found at the provided url']],
  [
    'extraction',
    [
      'Unable to extract release date; please report this issue on  https://github.com/yt-dlp/yt-dlp/issues',
      'Video id was not found; please report this issue on  https://github.com/yt-dlp/yt-dlp/issues',
    ],
  ],
  [
    'unknown',
    [
      'Twitter API says: hm',
      'Your access token has expired',
      'Scheduled for maintenance',
      'Your URL starts with a Byte Order Mark',
      'The stream is over 4 GB',
      'The live stream is over the limit',
      'The player is designed in parts',
      'The stream has not finished',
      'The API needs a region',
    ],
  ],
])('%s is what many sites mean by: %j', (reason, texts) => {
  expect(texts.map(text => [text, reasonOf(text)])).toEqual(texts.map(text => [text, reason]))
})

describe('the extractors of the yt-dlp in use', async () => {
  const texts = await textsOfExtractors()
  const judged = texts.map(([text, call]) => ({ text, call, reason: reasonOf(text) }))
  const by = (...calls: string[]) => judged.filter(({ call }) => calls.includes(call))
  const said = judged.filter(({ call }) => call !== 'report_warning')

  it.skipIf(texts.length === 0)('say little whose meaning is unknown, and something of each meaning', () => {
    const unknown = said.filter(({ reason }) => reason === 'unknown').map(({ text }) => text)
    console.info(`${unknown.length} of ${said.length} texts of yt-dlp are unknown:\n${unknown.toSorted().join('\n')}`)
    expect(said.length).toBeGreaterThan(300)
    expect(unknown.length / said.length).toBeLessThan(0.3)
    const meanings = ['premiere', 'processing', 'removed', 'not_found', 'geography', 'members', 'private', 'password']
    expect(new Set(said.map(({ reason }) => reason))).toEqual(
      expect.toSatisfy(found => meanings.every(m => found.has(m))),
    )
  })

  /** A word that leaves no doubt, and the meanings that a text with it may have. */
  const plain: [RegExp, Reason[]][] = [
    [
      /\b(has|have) not (yet )?started|not started yet|scheduled (for|to)|not yet available|will (start|begin) at/i,
      ['premiere'],
    ],
    [/\bno archive\b|replay is disabled/i, ['removed']],
    [/\bhas ended/i, ['processing', 'removed']],
    [/does not exist|no longer exists/i, ['not_found']],
    [/no longer available/i, ['removed', 'geography']],
    [/in your (country|region)|geo.?(block|restrict)/i, ['geography']],
    [/(for|to) (subscribers|members)|requires a .*subscription/i, ['members', 'sign_in']],
    [/password[- ]protected|protected by a password/i, ['password']],
    [/captcha/i, ['bot_check']],
    [/rate.limit/i, ['rate_limited']],
  ]
  it.skipIf(texts.length === 0).each(plain)('mean no other thing by %s', (word, meanings) => {
    const wrong = said.filter(({ text, reason }) => word.test(text) && !meanings.includes(reason))
    expect(wrong).toEqual([])
  })

  it.skipIf(texts.length === 0)('are read as closed here, or as in need of an account, whatever their words', () => {
    const places = by('raise_geo_restricted', 'GeoRestrictedError')
    expect(places.length).toBeGreaterThan(5)
    expect(places.filter(({ reason }) => reason !== 'geography')).toEqual([])
    const accounts: Reason[] = [
      ...(['sign_in', 'members', 'private', 'bot_check', 'rate_limited', 'geography'] as const),
      ...(['premiere', 'live', 'copy_protected', 'password'] as const),
    ]
    expect(by('raise_login_required').filter(({ reason }) => !accounts.includes(reason))).toEqual([])
  })

  it.skipIf(texts.length === 0)('end no download for good where they ask for a report, or only warn', () => {
    const final: Reason[] = ['removed', 'private', 'not_found', 'password', 'unsupported', 'geography']
    const reported = said.filter(({ text }) => text.includes('please report this issue'))
    expect(reported.length).toBeGreaterThan(100)
    const ended = reported.filter(({ reason }) => final.includes(reason)).map(({ text }) => text)
    expect(ended.length / reported.length).toBeLessThan(0.02)
    const warned = by('report_warning').filter(({ reason }) => reason === 'removed' || reason === 'not_found')
    expect(warned).toEqual([])
  })
})

/** Text and kind of call. None where yt-dlp is one program, without sources: then there is nothing to compare with. */
async function textsOfExtractors() {
  const { ytdlp } = toolsForTests()
  const [python = '', file = ''] = ytdlp.command
  if (!/python[\d.]*$/.test(python)) {
    console.info('This yt-dlp is a binary without sources, so its texts are not compared with the table.')
    return []
  }
  const script = fileURLToPath(new URL('./said-by-extractors.py', import.meta.url))
  const { stdout } = await execa(python, [script, ytdlp.env.PYTHONPATH ?? file], { stdin: 'ignore' })
  return z.array(z.tuple([z.string(), z.string()])).parse(JSON.parse(stdout))
}
