/** Downloads from the small YouTube: what yt-dlp finds out on the way, and how YouTube refuses. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createDownloader } from '../../../src/ytdlp/run/download.ts'
import { openSmallYoutube, type SmallYoutube, smallChannel } from '../../support/media/small-youtube.ts'
import { toolsForTests } from '../../support/process/tools.ts'

const channel = smallChannel('cooking', { videos: 3 })
const [video] = channel.videos
let youtube: SmallYoutube
beforeAll(async () => {
  youtube = await openSmallYoutube(channel)
})
afterAll(() => youtube.close())

async function download(url: string) {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-download-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const downloader = createDownloader({ tools: youtube.tools(toolsForTests()), policy: youtube.policy() })
  return downloader({ url, folder, signal: new AbortController().signal, onProgress: () => {} })
}
const page = `https://www.youtube.com/watch?v=${video?.id}`

it('a download brings the facts of its video, which cost no further request', async () => {
  expect(await download(page)).toMatchObject({
    file_size: expect.any(Number),
    about: {
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
  const result = await download(page)
  for (const end of heal) end()
  expect(result).toMatchObject({ failure: { reason: 'rate_limited', kind: 'rate_limited' } })
})
