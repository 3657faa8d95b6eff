/** In a browser: alice at the page of a video that is on disk, the middle one of her three, which is a minute long. */
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { subtitlePath } from '../../../src/store/paths.ts'
import type { Options } from '../app/app.ts'
import { entry, has, type Person, person } from '../app/people.ts'
import { getFilm } from '../media/films.ts'
import { useSite } from './site.ts'

const description = 'Mixing\n0:30 The middle (0:45), https://videos.example/1:10\nBeyond 2:00'

export function useWatching(options: Options = {}) {
  const site = useSite(options)
  let film: string

  beforeAll(async () => {
    film = await getFilm('/minute.mp4')
  })

  /** Opens the page of the second video, or `path`. `prepare` changes before that what alice has. */
  async function watching(options: BrowserContextOptions = {}, { path = '/watch/second', prepare }: Opened = {}) {
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
    await prepare?.(alice)
    const { page, faults } = await site.open(alice, options)
    await page.goto(path)
    return { alice, page, faults }
  }

  /** Puts the film on disk as the file of a video, with English subtitles. */
  async function put(person: Person, video_id: string) {
    const download_path = `${person.user.user_id}/slow/${video_id}.mp4`
    const path = join(site.folder, download_path)
    await mkdir(dirname(path), { recursive: true })
    await copyFile(film, path)
    await writeFile(join(site.folder, subtitlePath(download_path, 'en')), 'WEBVTT\n\n00:00.000 --> 00:59.000\nHello\n')
    await has(person, video_id, download_path, 9, ['en'])
  }

  return Object.assign(site, { watching, put, film: () => film })
}

type Opened = { path?: string; prepare?: (alice: Person) => Promise<unknown> }

/** Waits long, because a busy machine plays late. */
export const expectSoon = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 })

export const media = <T>(page: Page, read: (video: HTMLVideoElement) => T) => page.locator('video').evaluate(read)
export const time = (page: Page) => media(page, video => video.currentTime)
export const ready = (page: Page) => expectSoon(() => media(page, video => video.readyState)).toBeGreaterThan(0)

/** Waits until the player is at a position, in seconds. */
export const seekTo = (page: Page, position: number) =>
  page.locator('video').evaluate(
    (video: HTMLVideoElement, seconds) =>
      new Promise<void>(resolve => {
        video.addEventListener('seeked', () => resolve(), { once: true })
        video.currentTime = seconds
      }),
    position,
  )

/** The positions that the player jumps to from now on, in seconds. */
export async function jumpsOf(page: Page): Promise<() => Promise<number[]>> {
  await media(page, video => {
    const jumps: number[] = []
    Object.assign(video, { jumps })
    video.addEventListener('seeking', () => jumps.push(video.currentTime))
  })
  return () => media(page, video => (video as HTMLVideoElement & { jumps: number[] }).jumps)
}

export async function play(page: Page): Promise<void> {
  await media(page, video => {
    video.muted = true
    return video.play()
  })
  await expectSoon(() => media(page, video => !video.paused && video.currentTime > 0)).toBe(true)
}
