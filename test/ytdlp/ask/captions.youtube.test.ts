/** Captions without a download, from the small YouTube with the real yt-dlp. */
import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { createCaptionFetcher } from '../../../src/ytdlp/ask/captions.ts'
import { rolling } from '../../support/media/captions.ts'
import { openSmallYoutube, type SmallYoutube, smallChannel } from '../../support/media/small-youtube.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

let youtube: SmallYoutube
const channel = smallChannel('captions', { videos: 12 })
const ids = channel.videos.map(({ id }) => id)

beforeAll(async () => {
  youtube = await openSmallYoutube(channel)
})
afterAll(() => youtube.close())
beforeEach(() => void youtube.requests.splice(0))

const fetchOf = (nth: number) => {
  const tools = youtube.tools(toolsForTests())
  const fetch = createCaptionFetcher({ findTools: async () => tools, policy: youtube.policy() })
  return fetch({ url: `https://www.youtube.com/watch?v=${ids[nth]}`, signal: new AbortController().signal })
}
const video = (nth: number) => youtube.video(ids[nth] ?? '')
const said = (text: string) => `WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n`

it('the automatic captions of the spoken language are fetched with one request of the page and one of the captions, and nothing is kept', async () => {
  const folder = newFolder()
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  video(0).captions = [{ language: 'en', vtt: rolling, automatic: true }]

  expect(await fetchOf(0)).toEqual({ captions: { language: 'en-x-auto', webvtt: rolling } })

  const { '/watch': pages, '/api/timedtext': captions } = Object.fromEntries(
    Object.entries(youtube.counts()).map(([place, times]) => [place.split(' ')[1], times]),
  )
  expect({ pages, captions }).toEqual({ pages: 1, captions: 1 })
  expect(youtube.requests.filter(({ host }) => host.endsWith('googlevideo.com'))).toEqual([])
  // The parent of forked runs has a folder as long as our process runs.
  expect((await readdir(folder)).filter(name => !name.startsWith('backlot-warm-'))).toEqual([])
})

it('what people wrote is fetched instead of automatic captions', async () => {
  video(1).captions = [
    { language: 'de', vtt: said('Brot') },
    { language: 'en', vtt: said('bread') },
    { language: 'en', vtt: rolling, automatic: true },
  ]

  expect(await fetchOf(1)).toMatchObject({ captions: { language: 'en', webvtt: expect.stringContaining('bread') } })
})

it('a video without captions has none, which is no failure', async () => {
  expect(await fetchOf(2)).toEqual({ captions: undefined })
})

it.each([
  ['removed', 'removed'],
  ['private', 'private'],
  ['members', 'members'],
  ['bot', 'bot_check'],
  ['limited', 'rate_limited'],
] as const)('a video that is %s is a failure with that reason', async (kind, reason) => {
  video(3).kind = kind
  expect(await fetchOf(3)).toMatchObject({ failure: { reason } })
})

it.each(['/watch', '/api/timedtext'])('429 for %s is a refusal of the site', async path => {
  video(4).captions = [{ language: 'en', vtt: rolling, automatic: true }]
  const works = youtube.fail(path, { status: 429 })
  const also = path === '/watch' ? youtube.fail('/youtubei/', { status: 429 }) : () => {}

  expect(await fetchOf(4)).toMatchObject({ failure: { reason: 'rate_limited' } })

  works()
  also()
})
