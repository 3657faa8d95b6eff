/** For one test file: downloads from a video site on loopback with the real yt-dlp and ffmpeg, and reads the files with ffprobe. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll } from 'vitest'
import { addressPolicy } from '../../../src/net/addresses.ts'
import type { Quality } from '../../../src/schema/downloads/quality.ts'
import { createDownloader } from '../../../src/ytdlp/run/download.ts'
import { toolsForTests } from '../process/tools.ts'
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
type How = { quality?: Quality | undefined; languages?: string[]; signal?: AbortSignal }

export function useDownloads() {
  let media: MediaServer
  /** Every download has a folder of its own in it. */
  let place: string
  beforeAll(async () => {
    media = await openMediaServer()
    place = await mkdtemp(join(tmpdir(), 'backlot-downloads-'))
  })
  afterAll(async () => {
    await media.close()
    await rm(place, { recursive: true, force: true })
  })

  const ask = async (path: string, { quality, languages, signal = new AbortController().signal }: How = {}) =>
    createDownloader({ tools: toolsForTests(), policy: addressPolicy([new URL(media.url).host]) })({
      url: media.url + path,
      quality,
      languages,
      folder: await mkdtemp(join(place, 'run-')),
      signal,
      onProgress: () => {},
    })

  /** Throws when the download fails. */
  async function fetched(path: string, quality?: Quality) {
    const result = await ask(path, { quality })
    if ('failure' in result) throw new Error(`${result.failure.sentence} ${result.failure.detail}`)
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
