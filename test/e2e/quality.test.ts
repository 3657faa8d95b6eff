/** Downloads in chosen qualities with a real worker and the real tools, and reads the files with ffprobe. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { publishFeed } from '../support/process/journey.ts'
import { downloadOf, isDone, useService } from '../support/process/service.ts'
import { toolsForTests } from '../support/process/tools.ts'

const service = useService(useDatabase(), { has_worker: true })

const put = (body: object): RequestInit => ({
  method: 'PUT',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

/** The height of the picture in each of a person's files; `undefined`: no picture. */
async function heights(path: string | null): Promise<(number | undefined)[]> {
  const what = ['-v', 'error', '-show_streams', '-of', 'json', join(service.env.DOWNLOADS_DIR ?? '', path ?? '')]
  const { streams } = JSON.parse((await execa(toolsForTests().ffprobe, what)).stdout) as {
    streams: { height?: number }[]
  }
  return streams.map(({ height }) => height).filter(height => height !== undefined && height > 0)
}

it('a download has the chosen quality and its subtitles, and only sound when audio is chosen', async () => {
  const { media } = service
  const ask = await service.person('chooser')
  const track = '<track kind="subtitles" srclang="en" src="en.vtt">'
  media.publish('/titled.html', `<title>A</title><video src="plain.mp4">${track}</video>`, 'text/html')
  media.publish('/en.vtt', 'WEBVTT\n\n00:00.500 --> 00:02.000\nGood day\n', 'text/vtt')
  const videos = { Ladder: '/hls-ladder/master.m3u8', Titled: '/titled.html', Heard: '/plain.mp4' }
  const feed = publishFeed(media, videos, '/chooser.xml')
  const followed = await ask('/api/channels', { ...put({ url: feed }), method: 'POST' })
  const { channel_id } = (await followed.json()) as { channel_id: string }
  const { entries } = (await (await ask(`/api/history/${channel_id}`)).json()) as {
    entries: { video_id: string; title: string }[]
  }
  const idOf = (title: string) => entries.find(entry => entry.title === title)?.video_id ?? ''
  const download = async (title: string) => {
    await ask(`/api/download/${idOf(title)}`, { method: 'POST' })
    return downloadOf(ask, idOf(title)).until(isDone, 30_000)
  }

  await ask('/api/settings', put({ quality: '480' }))
  expect(await heights((await download('Ladder')).download_path)).toEqual([360])

  await download('Titled')
  const subtitles = await ask(`/stream/${idOf('Titled')}/subtitles/en`)
  expect([subtitles.status, subtitles.headers.get('content-type')]).toEqual([200, 'text/vtt; charset=utf-8'])
  expect(await subtitles.text()).toContain('Good day')

  await ask(`/api/channels/${channel_id}/quality`, put({ quality: 'audio' }))
  const { download_path } = await download('Heard')
  expect(download_path).toMatch(/\.m4a$/)
  expect(await heights(download_path)).toEqual([])

  for (const title of Object.keys(videos)) await ask(`/api/download/${idOf(title)}`, { method: 'DELETE' })
  const left = await readdir(service.env.DOWNLOADS_DIR ?? '', { recursive: true })
  // Deleted files wait in the bin.
  const of_videos = left.filter(name => /\.(mp4|m4a|vtt)$/.test(name))
  expect(of_videos.filter(name => !name.startsWith('.bin'))).toEqual([])
}, 90_000)
