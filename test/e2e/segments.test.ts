/** Skips a sponsor and follows the transcript on the small YouTube: real processes, the real yt-dlp, and a real browser. */
import { hash } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { openSignedIn, useBrowser } from '../support/browser/browser.ts'
import { expectSoon, time } from '../support/browser/watching.ts'
import { rolling } from '../support/media/captions.ts'
import { siteWith } from '../support/media/feed-site.ts'
import { long_s } from '../support/media/films.ts'
import { smallChannel } from '../support/media/small-youtube.ts'
import { json } from '../support/process/journey.ts'
import { openService, useYoutube } from '../support/process/service.ts'

const db = useDatabase()
const channel = smallChannel('cooking', { videos: 2 })
const youtube = useYoutube(channel)
const browser = useBrowser()

/** SponsorBlock, which knows two parts of this video and one of another whose hash begins the same. */
const sponsorBlock = (video_id: string) =>
  siteWith((request, response) => {
    const part = (segment: number[], category: string) => ({ segment, category, actionType: 'skip', UUID: 'x' })
    const known = request.url?.startsWith(`/api/skipSegments/${hash('sha256', video_id).slice(0, 4)}?`)
    response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify([
        { videoID: 'anotherOne1', segments: [part([0, 9], 'sponsor')] },
        { videoID: video_id, segments: [part([2, 7], 'sponsor'), part([9, 10], 'intro')] },
      ]),
    )
  })

it('a video of YouTube skips its sponsor while its transcript follows', async () => {
  const video_id = channel.videos[0]?.id ?? ''
  const captions = [{ language: 'en', vtt: rolling, automatic: true }]
  Object.assign(youtube.video(video_id), { film: 'long.mp4', seconds: long_s, captions })
  const sponsors = await sponsorBlock(video_id)
  const settings = { SPONSORBLOCK_URL: sponsors.url, ALLOWED_ADDRESSES: '127.0.0.1' }
  const service = await openService(db.url, settings, youtube)
  onTestFinished(service.close)
  await service.worker()
  const ask = await service.person('alice')
  await ask('/api/channels', json({ url: `https://www.youtube.com/channel/${channel.channel_id}` }))
  const page = await browser.newPage({ baseURL: service.web.url, viewport: { width: 1440, height: 900 } })
  await openSignedIn(page, 'alice', `/watch/${video_id}`)
  await page.getByRole('button', { name: 'Watch now' }).click()

  await page.getByText('0:02–0:07 (sponsor)').waitFor()
  await page.getByText('CC BY-NC-SA 4.0').waitFor()
  await page.getByText('Skipped 0:05').waitFor()
  await expectSoon(() => time(page)).toBeGreaterThanOrEqual(7)
  expect(sponsors.asked.join()).not.toContain(video_id)

  // It was not there when the page was opened.
  await page.locator('#transcript summary').click()
  await page.locator('#transcript [aria-current]').waitFor()
})
