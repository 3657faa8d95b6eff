/** Downloads with the real yt-dlp and ffmpeg; for one test file, from a video site on loopback, whose files ffprobe reads. */
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll } from 'vitest'
import { addressPolicy } from '../../../src/net/addresses.ts'
import type { Quality } from '../../../src/schema/downloads/quality.ts'
import {
  createDownloader,
  type Downloaded,
  type Downloader,
  type DownloaderOptions,
} from '../../../src/ytdlp/fetch/download.ts'
import { toolsForTests } from '../process/tools.ts'
import { newFolder } from '../run/new-folder.ts'
import { type MediaServer, openMediaServer } from './media.ts'

type Probe = {
  streams: {
    codec_type: string
    codec_name: string
    codec_tag_string: string
    height?: number
    disposition: { default: number }
    tags?: { language?: string }
  }[]
  chapters: { start_time: string; end_time: string; tags: { title: string } }[]
  format: { format_name: string; duration: string; tags?: { major_brand?: string } }
}

type Asked = Parameters<Downloader>[0]

/** Downloads into a new folder, unless the request names one. */
export const download = async (options: DownloaderOptions, asked: Pick<Asked, 'url'> & Partial<Asked>) =>
  createDownloader(options)({
    ...asked,
    folder: asked.folder ?? newFolder(),
    signal: asked.signal ?? new AbortController().signal,
    onProgress: asked.onProgress ?? (() => {}),
  })

/** Throws when the download failed. */
export function succeeded(result: Awaited<ReturnType<Downloader>>): Downloaded {
  if ('failure' in result) throw new Error(`${result.failure.sentence} ${result.failure.detail}`)
  return result
}

export function useDownloads() {
  /** Holds one folder for each download. The folders stay until the file ends. */
  const place = newFolder()
  let media: MediaServer
  beforeAll(async () => {
    media = await openMediaServer()
  })
  afterAll(() => media.close())

  const ask = async (path: string, more: Partial<Asked> = {}) => {
    const folder = await mkdtemp(join(place, 'run-'))
    const options = { tools: toolsForTests(), policy: addressPolicy([new URL(media.url).host]) }
    return download(options, { url: media.url + path, folder, ...more })
  }

  async function fetched(path: string, quality?: Quality) {
    const result = succeeded(await ask(path, { quality }))
    return { ...result, ...(await probe(result.file)) }
  }

  return {
    ask,
    fetched,
    get media() {
      return media
    },
  }
}

async function probe(file: string): Promise<Probe> {
  const what = ['-show_streams', '-show_chapters', '-show_format', '-of', 'json', file]
  return JSON.parse((await execa(toolsForTests().ffprobe, ['-v', 'error', ...what])).stdout)
}
