/** In this process: downloads and files of people, in the folder of the app under test. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { performDownload } from '../../../src/domain/downloads/perform-download.ts'
import type { BinLimits } from '../../../src/schema/bin/bin.ts'
import type { Files } from '../../../src/store/files.ts'
import type { Downloader } from '../../../src/ytdlp/fetch/download.ts'
import { has, type Person } from './people.ts'

/** Files are deleted at once, and channels too. */
export const no_bin: BinLimits = { hours: 0, quota_bytes: 0 }

/** Puts the file of a video on disk, and returns its path. */
export async function onDisk(
  folder: string,
  owner: Person,
  video_id: string,
  bytes = 'not really a video',
  channel_id = 'kitchen',
) {
  const download_path = `${owner.user.user_id}/${channel_id}/${video_id}.mp4`
  const file = join(folder, download_path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, bytes)
  await has(owner, video_id, download_path, bytes.length)
  return file
}

/** Requests a download, runs it without a network, and returns the quality that was asked of the downloader. */
export async function runDownload(
  files: Files,
  { library }: Person,
  video_id: string,
  extension = 'mp4',
  languages: string[] = [],
) {
  await library.downloads.request([video_id])
  let asked: string | undefined
  const download: Downloader = async ({ folder, quality }) => {
    asked = quality
    const file = join(folder, `ready.${extension}`)
    await writeFile(file, 'a file')
    const subtitles = languages.map(language => ({ language, file: join(folder, `subtitles.${language}.vtt`) }))
    for (const { language, file } of subtitles)
      await writeFile(file, `WEBVTT\n\n00:00.000 --> 00:01.000\n${language}\n`)
    return { file, file_size: 6, subtitles }
  }
  const stopping = new AbortController().signal
  expect(await performDownload({ library, files, download, stopping }, video_id)).toBe('completed')
  return asked
}
