/** In a browser: alice at the page of a video that is on disk, the middle one of her three, which is a minute long. */
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { subtitlePath } from '../../../src/store/paths.ts'
import type { Options } from '../app/app.ts'
import { entry, type Person, person } from '../app/people.ts'
import { toolsForTests } from '../process/tools.ts'
import { useSite } from './site.ts'

/** The length of the video in seconds. */
export const length_s = 60

const description = 'Mixing\n0:30 The middle (0:45), https://videos.example/1:10\nBeyond 2:00'

export function useWatching(options: Options = {}) {
  const site = useSite(options)
  let folder: string
  const film = () => join(folder, 'minute.mp4')

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backlot-watching-'))
    await makeFilm(film())
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function watching(options: BrowserContextOptions = {}, id = 'second') {
    const alice = await person(site.sql, 'alice')
    const day = (date: string) => ({
      published_at: new Date(`2026-05-${date}T12:00:00Z`),
      thumbnail_url: null,
      description,
    })
    await alice.library.channels.save(
      { channel_id: 'slow', title: 'Slow Kitchen', rss_url: 'https://videos.example/slow' },
      [entry('first', day('01')), entry('second', day('02')), entry('third', day('03'))],
    )
    await put(alice, 'second')
    const { page, faults } = await site.open(alice, options)
    await page.goto(`/watch/${id}`)
    return { alice, page, faults }
  }

  /** Puts the film on disk as the file of a video, with English subtitles. */
  async function put({ user, library }: Person, video_id: string) {
    const download_path = `${user.user_id}/slow/${video_id}.mp4`
    const path = join(site.folder, download_path)
    await mkdir(dirname(path), { recursive: true })
    await copyFile(film(), path)
    await writeFile(join(site.folder, subtitlePath(download_path, 'en')), 'WEBVTT\n\n00:00.000 --> 00:59.000\nHello\n')
    const claim = crypto.randomUUID()
    await library.downloads.request([video_id])
    await library.downloads.start(video_id, claim)
    await library.downloads.finish(
      video_id,
      claim,
      { download_path, file_size: 9, subtitles: ['en'] },
      async () => {},
      async () => {},
    )
  }

  return Object.assign(site, { watching, put, film })
}

async function makeFilm(file: string): Promise<void> {
  const picture = ['-f', 'lavfi', '-i', `testsrc=size=160x90:rate=5:duration=${length_s}`]
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${length_s}`]
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '5', '-c:a', 'aac']
  const { ffmpeg } = toolsForTests()
  await execa(ffmpeg, ['-v', 'error', ...picture, ...sound, ...codecs, '-movflags', '+faststart', file])
}

/** Waits longer than a second, because the machine may be busy. */
export const expectSoon = <T>(read: () => T) => expect.poll(read, { timeout: 15_000 })

export const media = <T>(page: Page, read: (video: HTMLVideoElement) => T) => page.locator('video').evaluate(read)
export const time = (page: Page) => media(page, video => video.currentTime)
export const ready = (page: Page) => expectSoon(() => media(page, video => video.readyState)).toBeGreaterThan(0)

export async function play(page: Page): Promise<void> {
  await media(page, video => {
    video.muted = true
    return video.play()
  })
  await expectSoon(() => media(page, video => !video.paused && video.currentTime > 0)).toBe(true)
}
