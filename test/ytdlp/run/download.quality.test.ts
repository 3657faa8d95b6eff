/** Heights, sound alone, subtitles and chapters, with the real yt-dlp and ffmpeg against a video site on loopback. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { addressPolicy } from '../../../src/net/addresses.ts'
import type { Quality } from '../../../src/schema/quality.ts'
import { createDownloader } from '../../../src/ytdlp/run/download.ts'
import type { Tools } from '../../../src/ytdlp/run/tools.ts'
import { duration_s } from '../../support/media/films.ts'
import { type MediaServer, openMediaServer } from '../../support/media/media.ts'
import { toolsForTests } from '../../support/process/tools.ts'

let tools: Tools
let media: MediaServer
let folder: string

beforeAll(async () => {
  tools = toolsForTests()
  media = await openMediaServer()
})
afterAll(() => media.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backlot-quality-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

const ask = (path: string, quality?: Quality, signal = new AbortController().signal) =>
  createDownloader({ tools, policy: addressPolicy([new URL(media.url).host]) })({
    url: media.url + path,
    quality,
    folder,
    signal,
    onProgress: () => {},
  })

async function fetched(path: string, quality?: Quality) {
  const result = await ask(path, quality)
  if ('failure' in result) throw new Error(`${result.failure.sentence} ${result.failure.detail}`)
  return { ...result, ...(await probe(result.file)) }
}

type Probe = {
  streams: { codec_type: string; codec_name: string; height?: number; tags?: { language?: string } }[]
  chapters: { start_time: string; end_time: string; tags: { title: string } }[]
  format: { format_name: string; duration: string; tags?: { major_brand?: string } }
}
async function probe(file: string): Promise<Probe> {
  const what = ['-show_streams', '-show_chapters', '-show_format', '-of', 'json', file]
  return JSON.parse((await execa(tools.ffprobe, ['-v', 'error', ...what])).stdout)
}

const playlist = 'application/vnd.apple.mpegurl'

describe('a height that was chosen', () => {
  it.each([
    ['/dash-ladder/manifest.mpd', 'best', 720],
    ['/dash-ladder/manifest.mpd', '1080', 720],
    ['/dash-ladder/manifest.mpd', '480', 360],
    ['/dash-ladder/manifest.mpd', '360', 360],
    ['/hls-ladder/master.m3u8', 'best', 720],
    ['/hls-ladder/master.m3u8', '480', 360],
    // Nobody knows how high it is before it is there.
    ['/plain.mp4', '360', 180],
  ] as const)('takes of %s for %s the %i', async (path, quality, height) => {
    const { streams, format } = await fetched(path, quality)

    expect(streams.map(({ codec_type }) => codec_type).sort()).toEqual(['audio', 'video'])
    expect(streams.find(({ codec_type }) => codec_type === 'video')?.height).toBe(height)
    expect(Number(format.duration)).toBeCloseTo(duration_s, 0)
  })

  it('the nearest larger format is taken where every format is larger', async () => {
    const tall = '#EXT-X-STREAM-INF:BANDWIDTH=700000,RESOLUTION=1280x720\nhls-ladder/media-2.m3u8\n'
    media.publish('/tall.m3u8', `#EXTM3U\n${tall}`, playlist)

    const { streams } = await fetched('/tall.m3u8', '360')

    expect(streams.find(({ codec_type }) => codec_type === 'video')?.height).toBe(720)
  })
})

describe('sound alone', () => {
  it.each(['/dash-ladder/manifest.mpd', '/hls-ladder/master.m3u8', '/plain.mp4', '/vp9.webm', '/sound.mp3'])(
    'an audio download makes an M4A of %s',
    async path => {
      const { file, streams, format, subtitles } = await fetched(path, 'audio')

      expect(file).toMatch(/\.m4a$/)
      expect(streams.map(({ codec_name }) => codec_name)).toEqual(['aac'])
      expect(format.tags?.major_brand?.trim()).toBe('M4A')
      expect(Number(format.duration)).toBeCloseTo(duration_s, 0)
      expect(subtitles).toEqual([])
    },
  )

  it('an audio download fetches no video where audio is separate, and the smallest where it is not', async () => {
    media.requests.length = 0
    await fetched('/dash-ladder/manifest.mpd', 'audio')
    await rm(folder, { recursive: true })
    folder = await mkdtemp(join(tmpdir(), 'backlot-quality-'))
    await fetched('/hls-ladder/master.m3u8', 'audio')

    const paths = media.requests.map(({ path }) => path)
    expect(paths.filter(path => /chunk-stream[012]-/.test(path))).toEqual([])
    expect(paths.filter(path => /media-[12]/.test(path))).toEqual([])
  })

  it('an audio download of a video without sound says so', async () => {
    expect(await ask('/silent.mp4', 'audio')).toMatchObject({
      failure: { kind: 'permanent', sentence: expect.stringContaining('no sound') },
    })
  })
})

describe('subtitles', () => {
  const words = (text: string) => `WEBVTT\n\n00:00.500 --> 00:02.000\n${text}\n\n00:02.000 --> 00:03.500\nand more\n`

  /** A video with subtitles in these languages; of what is `null` the file is missing. */
  const titled = (name: string, languages: Record<string, string | null>) => {
    const tracks = Object.keys(languages).map(
      tag => `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="${tag}",LANGUAGE="${tag}",URI="${name}-${tag}.m3u8"\n`,
    )
    const picture = `#EXT-X-STREAM-INF:BANDWIDTH=100000,RESOLUTION=320x180,SUBTITLES="subs"\nhls/media.m3u8\n`
    media.publish(`/${name}.m3u8`, `#EXTM3U\n${tracks.join('')}${picture}`, playlist)
    for (const [tag, text] of Object.entries(languages)) {
      const list = `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n${name}-${tag}.vtt\n#EXT-X-ENDLIST\n`
      media.publish(`/${name}-${tag}.m3u8`, list, playlist)
      if (text !== null) media.publish(`/${name}-${tag}.vtt`, text, 'text/vtt')
    }
    return `/${name}.m3u8`
  }

  it('subtitles are saved as files and inside the video, English first', async () => {
    const path = titled('spoken', { de: words('Guten Tag'), en: words('Good day'), 'pt-BR': words('Bom dia') })

    const { subtitles = [], streams, format } = await fetched(path)

    expect(subtitles.map(({ language }) => language)).toEqual(['en', 'de', 'pt-BR'])
    expect(await readFile(subtitles[0]?.file ?? '', 'utf8')).toMatch(/^WEBVTT[\s\S]*Good day/)
    const inside = streams.filter(({ codec_type }) => codec_type === 'subtitle')
    expect(inside.map(({ codec_name, tags }) => [codec_name, tags?.language])).toEqual([
      ['mov_text', 'eng'],
      ['mov_text', 'deu'],
      ['mov_text', 'por'],
    ])
    expect(format.format_name).toContain('mp4')
    expect(Number(format.duration)).toBeCloseTo(duration_s, 0)
  })

  it.each([
    ['is missing', null],
    ['is a page', '<!doctype html><title>Sign in</title>'],
    ['is too long', words('x'.repeat(5 * 1024 * 1024))],
  ])('a subtitle that %s costs neither the video nor the other subtitles', async (name, text) => {
    const path = titled(name.replaceAll(' ', '-'), { en: text, fr: words('Bonjour') })

    const { subtitles, streams } = await fetched(path)

    expect(subtitles?.map(({ language }) => language)).toEqual(['fr'])
    expect(streams.map(({ codec_type }) => codec_type).sort()).toEqual(['audio', 'subtitle', 'video'])
  })

  it('missing subtitles do not cost the video', async () => {
    const { subtitles, streams } = await fetched(titled('lost', { en: null, fr: null }))

    expect(subtitles).toEqual([])
    expect(streams.map(({ codec_type }) => codec_type).sort()).toEqual(['audio', 'video'])
  })

  it('subtitles of other formats are converted, and a web page in place of one is not', async () => {
    const track = (tag: string, file: string) => `<track kind="subtitles" srclang="${tag}" src="${file}">`
    const tracks = [
      track('en', 'en.vtt'),
      track('ar', 'not-there.vtt'),
      track('de', 'de.srt'),
      track('fr', 'fr.vtt'),
    ].join('')
    media.publish('/tracks.html', `<title>A</title><video src="plain.mp4">${tracks}</video>`, 'text/html')
    media.publish('/en.vtt', words('Good day'), 'text/vtt')
    media.publish('/de.srt', '1\n00:00:00,500 --> 00:00:02,000\nGuten Tag\n', 'text/plain')
    media.publish('/fr.vtt', '<!doctype html><!-- WEBVTT --><title>Sign in</title>', 'text/vtt')

    const { subtitles = [], streams } = await fetched('/tracks.html')

    expect(subtitles.map(({ language }) => language)).toEqual(['en', 'de'])
    expect(await readFile(subtitles[1]?.file ?? '', 'utf8')).toMatch(/^WEBVTT[\s\S]*Guten Tag/)
    expect(streams.filter(({ codec_type }) => codec_type === 'subtitle')).toHaveLength(2)
  })

  it('subtitles cannot lead to an address that a video may not lead to', async () => {
    let reached = 0
    const outsider = createServer((_, reply) => reply.end(words('inside')))
    outsider.on('connection', () => {
      reached += 1
    })
    await new Promise<void>(resolve => outsider.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void outsider.close())
    const url = `http://127.0.0.1:${(outsider.address() as AddressInfo).port}`
    const list = `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n${url}/en.vtt\n#EXT-X-ENDLIST\n`
    const path = titled('inside', { en: words('Good day') })
    media.publish('/inside-en.m3u8', list, playlist)

    const { subtitles, streams } = await fetched(path)

    expect(reached).toBe(0)
    expect(subtitles).toEqual([])
    expect(streams).toHaveLength(2)
  })

  it('subtitles are given up when the download is aborted', async () => {
    const path = titled('slow', { en: words('Good day') })
    const free = media.hold('slow-en.vtt')
    onTestFinished(free)
    const stop = new AbortController()
    const running = ask(path, 'best', stop.signal)
    await vi.waitFor(() => expect(media.requests.map(({ path }) => path)).toContain('/slow-en.vtt'))

    stop.abort()

    await expect(running).rejects.toThrow()
  })
})

it('the chapters that a page lists are kept', async () => {
  const clips = [
    { '@type': 'Clip', name: 'Flour; water = dough', startOffset: 0, endOffset: 2 },
    { '@type': 'Clip', name: '# Baking \\ eating', startOffset: 2, endOffset: 4 },
  ]
  const about = { '@context': 'https://schema.org', '@type': 'VideoObject', name: 'Bread', duration: 'PT4S' }
  const told = JSON.stringify({ ...about, contentUrl: `${media.url}/plain.mp4`, hasPart: clips })
  const page = `<!doctype html><title>Bread</title><script type="application/ld+json">${told}</script>`
  media.publish('/chapters.html', page, 'text/html')

  for (const quality of ['best', 'audio'] as const) {
    const { chapters, streams, format } = await fetched('/chapters.html', quality)

    expect(chapters.map(({ tags }) => tags.title)).toEqual(['Flour; water = dough', '# Baking \\ eating'])
    expect(chapters.map(({ start_time, end_time }) => [Number(start_time), Number(end_time)])).toEqual([
      [0, 2],
      [2, 4],
    ])
    expect(streams.some(({ codec_name }) => codec_name === 'aac')).toBe(true)
    expect(Number(format.duration)).toBeCloseTo(duration_s, 0)
  }
})
