/** A single video from its address to its file, by the real app, worker and yt-dlp, without following a channel. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { openSmallYoutube, type SmallYoutube, smallChannel } from '../support/media/small-youtube.ts'
import { client, json, register, settled } from '../support/process/journey.ts'
import { openService, type Service } from '../support/process/service.ts'

const db = useDatabase()
const channel = smallChannel('cooking', { videos: 3 })
const [video] = channel.videos
if (!video) throw new Error('the channel has videos')
const url = `https://www.youtube.com/watch?v=${video.id}`
let youtube: SmallYoutube
let service: Service

beforeAll(async () => {
  youtube = await openSmallYoutube(channel)
  youtube.playlists.push({
    ...{ list_id: 'PLaaaaaaaaaaaaaa', title: 'A list', channel },
    video_ids: channel.videos.map(({ id }) => id),
  })
  service = await openService(db.url, {}, youtube)
})
afterAll(async () => {
  await service.close()
  await youtube.close()
})

type Answer = Record<string, unknown>

it('a video is added by its address, downloaded and forgotten, and no channel is ever followed', async () => {
  const ask = client(service.web.url)
  await register(ask, 'single')

  const added = await ask('/api/videos', json({ url, download: true }))
  expect([added.status, await added.json()]).toMatchObject([
    201,
    {
      ...{ video_id: video.id, channel_id: channel.channel_id, title: video.title, channel_title: channel.title },
      ...{ source: 'address', duration_seconds: video.seconds, availability: 'public', queued: true },
    },
  ])
  expect((await ask('/api/videos', json({ url: `https://youtu.be/${video.id}` }))).status).toBe(200)

  await service.worker()
  const done = await settled(ask, video.id)
  expect(done).toMatchObject({ download_status: 'completed', download_error: null })
  const file = join(service.env.DOWNLOADS_DIR ?? '', done.download_path ?? '')
  expect(done.download_path).toContain(`/${channel.channel_id}/${video.id}.mp4`)
  expect((await stat(file)).size).toBe(done.file_size)
  expect((await ask(`/stream/${video.id}`, { headers: { range: 'bytes=0-9' } })).status).toBe(206)

  expect(await (await ask('/api/channels')).json()).toEqual({ channels: [] })
  const kept = (await (await ask('/api/channels?followed=false')).json()) as { channels: Answer[] }
  expect(kept.channels).toMatchObject([{ channel_id: channel.channel_id, followed: false, entry_count: 1 }])
  expect(Object.keys(youtube.counts()).filter(path => path.includes('/feeds/'))).toEqual([])

  expect((await ask(`/api/videos/${video.id}`, { method: 'DELETE' })).status).toBe(204)
  await expect(stat(file)).rejects.toThrow('ENOENT')
  expect(await (await ask('/api/channels?followed=false')).json()).toEqual({ channels: [] })
}, 120_000)

it('the link of a video leads to a page with the video and its channel, and the link of a playlist is no single video', async () => {
  const ask = client(service.web.url)
  await register(ask, 'finder')

  const page = await (await ask(`/channels/new?url=${encodeURIComponent(url)}`)).text()
  expect(page).toContain(video.title)
  expect(page).toContain('Download this video')
  expect(page).toContain(`feeds/videos.xml?channel_id=${channel.channel_id}`)

  const list = await ask('/api/videos', json({ url: 'https://www.youtube.com/playlist?list=PLaaaaaaaaaaaaaa' }))
  expect([list.status, await list.json()]).toMatchObject([
    422,
    {
      detail: expect.stringMatching(
        /^This is a playlist( with 3 videos)?: A list\. To follow it, POST \/api\/channels\.$/,
      ),
    },
  ])
}, 120_000)
