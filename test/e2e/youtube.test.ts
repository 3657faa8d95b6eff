/** Processes of the service for which the small YouTube is the real one. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { openSmallYoutube, type SmallYoutube, smallChannel } from '../support/media/small-youtube.ts'
import { client, register, settled } from '../support/process/journey.ts'
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
  const json = (body: object) => ({
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })

  const followed = await ask('/api/channels', json({ url: `https://www.youtube.com/channel/${channel.channel_id}` }))
  expect(followed.status).toBe(201)
  expect(await followed.json()).toMatchObject({ channel_id: channel.channel_id, title: channel.title, entry_count: 15 })

  const [video] = channel.videos
  const video_id = video?.id ?? ''
  expect((await ask('/api/download/batch', json({ video_ids: [video_id] }))).status).toBe(202)
  expect(await settled(ask, video_id)).toMatchObject({ download_status: 'completed', file_size: expect.any(Number) })
  expect(youtube.counts()).toMatchObject({ 'www.youtube.com /feeds/videos.xml': expect.any(Number) })
})
