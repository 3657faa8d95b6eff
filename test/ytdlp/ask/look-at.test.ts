/** Looks at single addresses of the small YouTube with the real yt-dlp. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { inQuickTurn } from '../../../src/ytdlp/ask/helper.ts'
import { createLooker, type VideoLooker } from '../../../src/ytdlp/ask/look-at.ts'
import { availabilityOf } from '../../../src/ytdlp/failures/failure.ts'
import { openSmallYoutube, type SmallYoutube, smallChannel } from '../../support/media/small-youtube.ts'
import { withScript } from '../../support/process/fake-tool.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const channel = smallChannel('cooking', { videos: 65, streams: 1 })
const [video] = channel.videos
if (!video) throw new Error('the channel has videos')
const page = `https://www.youtube.com/watch?v=${video.id}`
const signal = new AbortController().signal
let youtube: SmallYoutube
let lookAt: VideoLooker

beforeAll(async () => {
  youtube = await openSmallYoutube(channel)
  lookAt = createLooker({ findTools: async () => youtube.tools(toolsForTests()), policy: youtube.policy() })
  const video_ids = channel.videos.map(({ id }) => id)
  youtube.playlists.push({ list_id: 'PLaaaaaaaaaaaaaa', title: 'A list', channel, video_ids })
})
afterAll(() => youtube.close())
beforeEach(() => {
  video.kind = 'public'
  youtube.requests.splice(0)
})

it.each([page, `${page}&list=PLaaaaaaaaaaaaaa&index=3`, `https://youtu.be/${video.id}?t=3`])(
  'the address %s is a video with its facts and its channel',
  async url => {
    expect(await lookAt({ url, signal })).toEqual({
      video: {
        video_url: page,
        title: video.title,
        description: `About ${video.title}.`,
        thumbnail_url: `https://i.ytimg.com/vi/${video.id}/hqdefault.jpg`,
        published_at: new Date(Math.floor(video.published_at.getTime() / 1000) * 1000),
        published_precision: 'exact',
        duration_seconds: video.seconds,
        live_status: 'none',
        availability: 'public',
        starts_at: null,
        channel: {
          platform_id: channel.channel_id,
          title: channel.title,
          page_url: `https://www.youtube.com/channel/${channel.channel_id}`,
          image_url: null,
        },
      },
    })
    expect(youtube.counts()['r1.googlevideo.com /videoplayback']).toBeUndefined()
  },
)

it('a look whose time is over before its turn says that others are looked up, and asks no site', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const others = ['alice', 'bob'].map(whose => inQuickTurn(whose, () => promise))
  const ending = new AbortController()
  const waiting = lookAt({ url: page, whose: 'carol', signal: ending.signal })
  const ended = expect(waiting).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining('Too many links'),
  })
  // Only then it waits for its turn.
  await new Promise(setImmediate)
  ending.abort(new DOMException('', 'TimeoutError'))
  await ended
  resolve()
  await Promise.all(others)
  expect(youtube.requests).toEqual([])
})

it('an upcoming video says when it begins', async () => {
  video.kind = 'upcoming'
  video.starts_at = new Date('2099-12-24T20:00:00Z')
  expect(await lookAt({ url: page, signal })).toMatchObject({
    video: { live_status: 'upcoming', starts_at: video.starts_at, duration_seconds: null },
  })
})

it('a live video is a video that is live', async () => {
  video.kind = 'live'
  expect(await lookAt({ url: page, signal })).toMatchObject({ video: { live_status: 'live', starts_at: null } })
})

it.each(['ended', 'post_live'] as const)(
  'a stream of the kind %s was live, and its length is unknown until its recording is ready',
  async kind => {
    video.kind = kind
    expect(await lookAt({ url: page, signal })).toMatchObject({
      video: { title: video.title, live_status: 'was_live', duration_seconds: null },
    })
  },
)

it('a recorded stream was live', async () => {
  const stream = channel.videos.find(({ tab }) => tab === 'streams')
  const url = `https://www.youtube.com/watch?v=${stream?.id}`
  expect(await lookAt({ url, signal })).toMatchObject({ video: { live_status: 'was_live' } })
})

it.each([
  ['members', 'members', 'members_only'],
  ['private', 'private', 'private'],
  ['removed', 'removed', 'removed'],
  ['age', 'sign_in', 'age_restricted'],
  ['bot', 'bot_check', null],
  ['country', 'geography', null],
  ['limited', 'rate_limited', null],
] as const)('a video of the kind %s is a failure with the reason %s, and its availability is %s', async (...row) => {
  const [kind, reason, availability] = row
  video.kind = kind
  const result = await lookAt({ url: page, signal })
  if (!('failure' in result)) throw new Error(JSON.stringify(result))
  expect(result.failure).toMatchObject({ reason })
  expect(availabilityOf(result.failure)).toBe(availability)
})

it('a refusal that yt-dlp only warns of is known as a refusal', async () => {
  const heal = [youtube.fail('/watch', { status: 429 }), youtube.fail('/youtubei/v1/player', { status: 429 })]
  const result = await lookAt({ url: page, signal })
  for (const end of heal) end()
  expect(result).toMatchObject({ failure: { reason: 'rate_limited', kind: 'rate_limited' } })
})

it('a warning that one of several pages is missing does not say that the video is', async () => {
  const heal = ['/watch', '/youtubei/v1/player'].map(page => youtube.fail(page, { status: 200, text: '' }))
  const result = await lookAt({ url: page, signal })
  for (const end of heal) end()
  expect(youtube.counts()).toHaveProperty('www.youtube.com /iframe_api')
  expect(result).toMatchObject({ failure: { reason: 'extraction' } })
})

it.each([
  ['exit 0', 'unavailable'],
  ['exit 1', 'unknown'],
  ['kill -9 $$', 'unknown'],
])('a yt-dlp that ends with "%s" and without a word is a failure with the reason %s', async (script, reason) => {
  const tools = await withScript(toolsForTests(), newFolder(), script)
  const silent = createLooker({ findTools: async () => tools, policy: youtube.policy() })
  expect(await silent({ url: page, signal })).toMatchObject({ failure: { reason } })
})

it.each([
  ['https://www.youtube.com/playlist?list=PLaaaaaaaaaaaaaa', { title: 'A list', count: 66 }],
  [`https://www.youtube.com/channel/${channel.channel_id}/videos`, { title: channel.title, count: null }],
  [`https://www.youtube.com/${channel.handle}`, { title: channel.title }],
])('the address %s is a list, which is not read to its end', async (url, list) => {
  const result = await lookAt({ url, signal })
  expect(result).toMatchObject({ list: { ...list, channel: { platform_id: channel.channel_id } } })
  expect(youtube.requests.filter(({ page }) => page)).toEqual([])
})

it('an address without tools, or of another scheme, is a failure', async () => {
  const toolless = createLooker({ findTools: async () => ({ missing: 'None.' }), policy: youtube.policy() })
  expect(await toolless({ url: page, signal })).toMatchObject({ failure: { reason: 'tools' } })
  expect(await lookAt({ url: 'file:///etc/passwd', signal })).toMatchObject({ failure: { reason: 'unsupported' } })
})
