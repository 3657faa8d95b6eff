/** In a browser: a file with texts, chapters and a cover inside plays and seeks like any other. */
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPictureFetcher } from '../../src/feed/fetch/fetch-picture.ts'
import { addressPolicy } from '../../src/net/addresses.ts'
import { createDownloader } from '../../src/ytdlp/fetch/download.ts'
import { follows, has, person } from '../support/app/people.ts'
import { useSite } from '../support/browser/site.ts'
import { duration_s } from '../support/media/films.ts'
import { type MediaServer, openMediaServer } from '../support/media/media.ts'
import { toolsForTests } from '../support/process/tools.ts'
import { newFolder } from '../support/run/new-folder.ts'

const site = useSite()
let media: MediaServer
beforeAll(async () => {
  media = await openMediaServer()
})
afterAll(() => media.close())

it.each([
  ['video', 'best', 'mp4'],
  ['audio', 'audio', 'm4a'],
] as const)('the %s of a file with texts and a cover plays and seeks', async (kind, quality, extension) => {
  const alice = await person(site.sql, 'alice')
  await follows(alice, 'kitchen', [kind])
  const folder = newFolder()
  const own = await alice.library.videos.find(kind)
  const policy = addressPolicy([new URL(media.url).host])
  const download = createDownloader({ tools: toolsForTests(), policy, fetchPicture: createPictureFetcher({ policy }) })
  const result = await download({
    url: `${media.url}/plain.mp4`,
    ...(own && { words: { ...own, thumbnail_url: `${media.url}/picture.jpg` } }),
    quality,
    folder,
    signal: new AbortController().signal,
    onProgress: () => {},
  })
  if ('failure' in result) throw new Error(result.failure.sentence)
  expect(result.words_hash).toBeDefined()
  const download_path = `${alice.user.user_id}/kitchen/${kind}.${extension}`
  await mkdir(dirname(join(site.folder, download_path)), { recursive: true })
  await copyFile(result.file, join(site.folder, download_path))
  await has(alice, kind, download_path, result.file_size)

  const { page, faults } = await site.openAt(`/watch/${kind}`, alice)
  const player = page.locator(kind)
  await expect.poll(() => player.evaluate((it: HTMLMediaElement) => it.duration)).toBeCloseTo(duration_s, 0)
  await player.evaluate((it: HTMLMediaElement) => {
    it.muted = true
    it.currentTime = 3
    return it.play()
  })
  await expect.poll(() => player.evaluate((it: HTMLMediaElement) => it.currentTime)).toBeGreaterThan(3)
  const { error, tracks, width } = await player.evaluate((it: HTMLVideoElement) => ({
    error: it.error?.message,
    tracks: it.textTracks.length,
    width: it.videoWidth,
  }))
  expect({ error, tracks, width }).toEqual({ error: undefined, tracks: 0, width: kind === 'video' ? 320 : undefined })
  expect(faults).toEqual([])
})
