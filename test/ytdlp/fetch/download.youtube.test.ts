/** Downloads from the small YouTube: what yt-dlp finds out on the way, and how YouTube refuses. */
import { readFile } from 'node:fs/promises'
import { execa } from 'execa'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Quality } from '../../../src/schema/downloads/quality.ts'
import { rolling } from '../../support/media/captions.ts'
import { download, succeeded } from '../../support/media/downloads.ts'
import { openSmallYoutube, type SmallYoutube, smallChannel } from '../../support/media/small-youtube.ts'
import { toolsForTests } from '../../support/process/tools.ts'

const channel = smallChannel('cooking', { videos: 3 })
const [video] = channel.videos
const live = smallChannel('live', { videos: 0, streams: 3 })
let youtube: SmallYoutube
beforeAll(async () => {
  youtube = await openSmallYoutube(channel, live)
})
beforeEach(() => void youtube.requests.splice(0))
afterAll(() => youtube.close())

const ask = (url: string, more: { quality?: Quality; takes_unfinished?: boolean } = {}) =>
  download({ tools: youtube.tools(toolsForTests()), policy: youtube.policy() }, { url, ...more })
const page = `https://www.youtube.com/watch?v=${video?.id}`

it('a download brings the facts of its video, which cost no further request', async () => {
  expect(await ask(page)).toMatchObject({
    file_size: expect.any(Number),
    facts: {
      video_url: page,
      title: video?.title,
      duration_seconds: video?.seconds,
      live_status: 'none',
      availability: 'public',
      published_precision: 'exact',
      channel: { platform_id: channel.channel_id, title: channel.title },
    },
  })
  expect(youtube.counts()['www.youtube.com /watch']).toBe(1)
})

it('a download that YouTube refuses with 429 is known as refused, although only warnings say so', async () => {
  const heal = [youtube.fail('/watch', { status: 429 }), youtube.fail('/youtubei/v1/player', { status: 429 })]
  const result = await ask(page)
  for (const end of heal) end()
  expect(result).toMatchObject({ failure: { reason: 'rate_limited', kind: 'rate_limited' } })
})

describe('a live stream that has ended', () => {
  const urlOf = ({ id }: { id: string }) => `https://www.youtube.com/watch?v=${id}`
  const stream = (number: number) => live.videos[number] ?? expect.fail('no stream')

  it('a stream without a recording is waited for, and is not taken for removed', async () => {
    stream(0).kind = 'ended'

    expect(await ask(urlOf(stream(0)))).toMatchObject({ failure: { kind: 'scheduled', reason: 'processing' } })
  })

  it('a recording that YouTube still processes is waited for, and taken as it is in the end', async () => {
    stream(1).kind = 'post_live'

    expect(await ask(urlOf(stream(1)))).toMatchObject({ failure: { kind: 'scheduled', reason: 'processing' } })
    expect(await ask(urlOf(stream(1)), { takes_unfinished: true })).toMatchObject({
      file_size: expect.any(Number),
      facts: { live_status: 'was_live', duration_seconds: null },
    })
  })

  it('a finished recording is taken at once', async () => {
    expect(await ask(urlOf(stream(2)))).toMatchObject({ facts: { live_status: 'was_live' } })
  })
})

it('a video that is blocked in this country for its music is not taken for removed', async () => {
  const [, , blocked] = channel.videos
  youtube.video(blocked?.id ?? '').kind = 'copyright'
  onTestFinished(() => {
    youtube.video(blocked?.id ?? '').kind = 'public'
  })

  expect(await ask(`https://www.youtube.com/watch?v=${blocked?.id}`)).toMatchObject({
    failure: { reason: 'geography' },
  })
})

describe('captions', () => {
  const [, spoken, refused] = channel.videos
  const urlOf = (one: typeof video) => `https://www.youtube.com/watch?v=${one?.id}`
  const automatic = { language: 'en', vtt: rolling, automatic: true }
  const german = { language: 'de', vtt: 'WEBVTT\n\n00:00.000 --> 00:02.000\nGuten Tag\n' }
  const languagesIn = async (file: string) => {
    const what = ['-select_streams', 's', '-show_entries', 'stream_tags=language', '-of', 'csv=p=0', file]
    return (await execa(toolsForTests().ffprobe, ['-v', 'error', ...what], { lines: true })).stdout
  }

  beforeEach(() => {
    youtube.video(spoken?.id ?? '').captions = [german, automatic]
  })

  it('the automatic captions of the spoken language come along, beside the video and not in it, and no translation', async () => {
    const result = succeeded(await ask(urlOf(spoken)))

    expect(result.subtitles?.map(({ language }) => language)).toEqual(['de', 'en-x-auto'])
    expect(await readFile(result.subtitles?.[1]?.file ?? '', 'utf8')).toContain('<c> bread</c>')
    expect(await languagesIn(result.file)).toEqual(['deu'])
    const asked = youtube.requests.filter(({ path }) => path === '/api/timedtext')
    expect(asked.map(({ search }) => new URLSearchParams(search).get('lang'))).toEqual(['de', 'en'])
    expect(asked.filter(({ search }) => search.includes('tlang'))).toEqual([])
  })

  it('sound alone has what was said, as one file', async () => {
    const result = succeeded(await ask(urlOf(spoken), { quality: 'audio' }))

    expect(result.subtitles?.map(({ language }) => language)).toEqual(['en-x-auto'])
    expect(await languagesIn(result.file)).toEqual([])
  })

  it('captions that YouTube refuses do not cost the video', async () => {
    youtube.video(refused?.id ?? '').captions = [automatic]
    const heal = youtube.fail('/api/timedtext', { status: 429 })
    onTestFinished(heal)

    expect(await ask(urlOf(refused))).toMatchObject({ file_size: expect.any(Number), subtitles: [] })
  })
})
