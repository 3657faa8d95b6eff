/** Processes of the service for which the small YouTube is the real one: videos of channels and single videos, up to their files. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { rolling } from '../support/media/captions.ts'
import { smallChannel } from '../support/media/small-youtube.ts'
import { json, settled } from '../support/process/journey.ts'
import { useService, useYoutube } from '../support/process/service.ts'

const channel = smallChannel('cooking', { videos: 20 })
const own_page = `https://www.youtube.com/channel/${channel.channel_id}`
const idOf = (nth: number) => channel.videos[nth]?.id ?? ''
const youtube = useYoutube(channel)
const service = useService(useDatabase(), { youtube, has_worker: true })

it('a video is added by its address, downloaded and forgotten, and no channel is ever followed', async () => {
  const ask = await service.person('single')
  const [video = expect.unreachable()] = channel.videos
  const url = `https://www.youtube.com/watch?v=${video.id}`
  const asked_before = youtube.requests.length

  const added = await ask('/api/videos', json({ url, download: true }))
  const answer = await added.text()
  expect(added.status, answer).toBe(201)
  const video_added = JSON.parse(answer)
  // The worker may have begun.
  expect(video_added.queued).toBe(video_added.download_status !== 'downloading')
  expect(video_added).toMatchObject({
    video_id: video.id,
    channel_id: channel.channel_id,
    title: video.title,
    channel_title: channel.title,
    source: 'address',
    duration_seconds: video.seconds,
    availability: 'public',
  })
  expect((await ask('/api/videos', json({ url: `https://youtu.be/${video.id}` }))).status).toBe(200)

  const done = await settled(ask, video.id)
  expect(done).toMatchObject({ download_status: 'completed', download_error: null })
  const file = join(service.env.DOWNLOADS_DIR ?? '', done.download_path ?? '')
  expect(done.download_path).toContain(`/${channel.channel_id}/${video.id}.mp4`)
  expect((await stat(file)).size).toBe(done.file_size)
  expect((await ask(`/stream/${video.id}`, { headers: { range: 'bytes=0-9' } })).status).toBe(206)

  expect(await (await ask('/api/channels')).json()).toEqual({ channels: [] })
  const kept = (await (await ask('/api/channels?followed=false')).json()) as { channels: object[] }
  expect(kept.channels).toMatchObject([{ channel_id: channel.channel_id, followed: false, entry_count: 1 }])
  expect(youtube.requests.slice(asked_before).filter(({ path }) => path.includes('/feeds/'))).toEqual([])

  expect((await ask(`/api/videos/${video.id}`, { method: 'DELETE' })).status).toBe(204)
  await expect(stat(file)).rejects.toThrow('ENOENT')
  expect(await (await ask('/api/channels?followed=false')).json()).toEqual({ channels: [] })
})

it('the link of a video leads to a page with the video and its channel, and the link of a playlist is no single video', async () => {
  const ask = await service.person('finder')
  const [video = expect.unreachable()] = channel.videos
  const list_id = 'PLaaaaaaaaaaaaaa'
  youtube.playlists.push({ list_id, title: 'A list', channel, video_ids: [idOf(0), idOf(1), idOf(2)] })

  const page = await (
    await ask(`/channels/new?url=${encodeURIComponent(`https://www.youtube.com/watch?v=${video.id}`)}`)
  ).text()
  expect(page).toContain(video.title)
  expect(page).toContain('Download this video')
  expect(page).toContain(`feeds/videos.xml?channel_id=${channel.channel_id}`)

  const list = await ask('/api/videos', json({ url: `https://www.youtube.com/playlist?list=${list_id}` }))
  expect([list.status, await list.json()]).toMatchObject([
    422,
    {
      detail: expect.stringMatching(
        /^This is a playlist( with 3 videos)?: A list\. To follow it, POST \/api\/channels\.$/,
      ),
    },
  ])
})

it('a channel of YouTube is followed by its page, and a video of its feed is downloaded', async () => {
  const ask = await service.person('alice')

  const followed = await ask('/api/channels', json({ url: own_page }))
  expect(followed.status).toBe(201)
  expect(await followed.json()).toMatchObject({ channel_id: channel.channel_id, title: channel.title, entry_count: 15 })

  const video_id = idOf(3)
  expect((await ask('/api/download/batch', json({ video_ids: [video_id] }))).status).toBe(202)
  expect(await settled(ask, video_id)).toMatchObject({ download_status: 'completed', file_size: expect.any(Number) })
  expect(youtube.counts()).toMatchObject({ 'www.youtube.com /feeds/videos.xml': expect.any(Number) })
})

it('what is said in a downloaded video is found by search, and read as its transcript', async () => {
  const video_ids = [idOf(1), idOf(2)]
  const german = { language: 'de', vtt: 'WEBVTT\n\n00:20.000 --> 00:22.000\nDas Brot ist fertig\n' }
  youtube.video(idOf(1)).captions = [german, { language: 'en', vtt: rolling, automatic: true }]
  youtube.video(idOf(2)).captions = [german]
  const ask = await service.person('bob')
  await ask('/api/channels', json({ url: own_page }))

  await ask('/api/download/batch', json({ video_ids }))
  for (const video_id of video_ids) expect(await settled(ask, video_id)).toMatchObject({ download_status: 'completed' })

  const transcriptOf = async (video_id: string) => (await ask(`/api/transcript/${video_id}`)).json()
  await expect
    .poll(() => transcriptOf(idOf(1)), { timeout: 20_000 })
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
  await expect.poll(() => transcriptOf(idOf(2)), { timeout: 20_000 }).toMatchObject({ language: 'de' })
  const found = async (q: string) => (await ask(`/api/search?q=${encodeURIComponent(q)}`)).json()
  expect(await found('"crust sings"')).toMatchObject({
    entries: [{ video_id: idOf(1), moments: [{ start_seconds: 8, text: 'the crust sings' }] }],
  })
  expect(await found('brot fertig')).toMatchObject({ entries: [{ video_id: idOf(2) }] })
  expect(await (await ask(`/watch/${idOf(1)}/transcript`)).text()).toContain('of sourdough bread &amp; butter')
})
