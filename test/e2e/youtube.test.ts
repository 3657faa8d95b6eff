/** Processes of the service for which the small YouTube is the real one. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { rolling } from '../support/media/captions.ts'
import { openSmallYoutube, type SmallYoutube, smallChannel } from '../support/media/small-youtube.ts'
import { client, json, register, settled } from '../support/process/journey.ts'
import { openService, type Service } from '../support/process/service.ts'

const db = useDatabase()
const channel = smallChannel('cooking', { videos: 20 })
let youtube: SmallYoutube
let service: Service

beforeAll(async () => {
  youtube = await openSmallYoutube(channel)
  service = await openService(db.url, {}, youtube)
})
afterAll(async () => {
  await service.close()
  await youtube.close()
})

it('a channel of YouTube is followed by its page, and a video of its feed is downloaded', async () => {
  await service.worker()
  const ask = client(service.web.url)
  await register(ask, 'alice')

  const followed = await ask('/api/channels', json({ url: `https://www.youtube.com/channel/${channel.channel_id}` }))
  expect(followed.status).toBe(201)
  expect(await followed.json()).toMatchObject({ channel_id: channel.channel_id, title: channel.title, entry_count: 15 })

  const [video] = channel.videos
  const video_id = video?.id ?? ''
  expect((await ask('/api/download/batch', json({ video_ids: [video_id] }))).status).toBe(202)
  expect(await settled(ask, video_id)).toMatchObject({ download_status: 'completed', file_size: expect.any(Number) })
  expect(youtube.counts()).toMatchObject({ 'www.youtube.com /feeds/videos.xml': expect.any(Number) })
})

it('what is said in a downloaded video is found by search, and read as its transcript', async () => {
  const [, spoken, written] = channel.videos
  const video_ids = [spoken?.id ?? '', written?.id ?? '']
  const german = { language: 'de', vtt: 'WEBVTT\n\n00:20.000 --> 00:22.000\nDas Brot ist fertig\n' }
  youtube.video(video_ids[0] ?? '').captions = [german, { language: 'en', vtt: rolling, automatic: true }]
  youtube.video(video_ids[1] ?? '').captions = [german]
  const ask = client(service.web.url)
  await register(ask, 'bob')
  await ask('/api/channels', json({ url: `https://www.youtube.com/channel/${channel.channel_id}` }))

  await ask('/api/download/batch', json({ video_ids }))
  for (const video_id of video_ids) expect(await settled(ask, video_id)).toMatchObject({ download_status: 'completed' })

  const transcriptOf = async (video_id = '') => (await ask(`/api/transcript/${video_id}`)).json()
  await expect
    .poll(() => transcriptOf(video_ids[0]), { timeout: 20_000 })
    .toMatchObject({
      language: 'en',
      automatic: true,
      lines: [
        { start_seconds: 0, text: 'today we bake a loaf' },
        { start_seconds: 2, text: 'of sourdough bread & butter' },
        { start_seconds: 5, text: '[Music]' },
        { start_seconds: 8, text: 'the crust sings' },
      ],
    })
  await expect.poll(() => transcriptOf(video_ids[1]), { timeout: 20_000 }).toMatchObject({ language: 'de' })
  const found = async (q: string) => (await ask(`/api/search?q=${encodeURIComponent(q)}`)).json()
  expect(await found('"crust sings"')).toMatchObject({
    entries: [{ video_id: video_ids[0], moments: [{ start_seconds: 8, text: 'the crust sings' }] }],
  })
  expect(await found('brot fertig')).toMatchObject({ entries: [{ video_id: video_ids[1] }] })
  expect(await (await ask(`/watch/${video_ids[0]}/transcript`)).text()).toContain('of sourdough bread &amp; butter')
})
