/** Heights, sound alone and chapters, with the real yt-dlp and ffmpeg against a video site on loopback. */
import { describe, expect, it } from 'vitest'
import { memoized } from '../../../src/runtime/cache.ts'
import { useDownloads } from '../../support/media/downloads.ts'
import { duration_s } from '../../support/media/films.ts'

const site = useDownloads()
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
    const { streams, format } = await site.fetched(path, quality)

    expect(streams.map(({ codec_type }) => codec_type).sort()).toEqual(['audio', 'video'])
    expect(streams.find(({ codec_type }) => codec_type === 'video')?.height).toBe(height)
    expect(Number(format.duration)).toBeCloseTo(duration_s, 0)
  })

  it('the nearest larger format is taken where every format is larger', async () => {
    const tall = '#EXT-X-STREAM-INF:BANDWIDTH=700000,RESOLUTION=1280x720\nhls-ladder/media-2.m3u8\n'
    site.media.publish('/tall.m3u8', `#EXTM3U\n${tall}`, playlist)

    const { streams } = await site.fetched('/tall.m3u8', '360')

    expect(streams.find(({ codec_type }) => codec_type === 'video')?.height).toBe(720)
  })
})

describe('sound alone', () => {
  /** The sound at this address, and the paths that were requested for it. Each is downloaded once. */
  const soundOf = memoized(async path => {
    site.media.requests.length = 0
    const sound = await site.fetched(path, 'audio')
    return { ...sound, requested: site.media.requests.map(({ path }) => path) }
  })

  it.each(['/dash-ladder/manifest.mpd', '/hls-ladder/master.m3u8', '/plain.mp4', '/vp9.webm', '/sound.mp3'])(
    'an audio download makes an M4A of %s',
    async path => {
      const { file, streams, format, subtitles } = await soundOf(path)

      expect(file).toMatch(/\.m4a$/)
      expect(streams.map(({ codec_name }) => codec_name)).toEqual(['aac'])
      expect(format.tags?.major_brand?.trim()).toBe('M4A')
      expect(Number(format.duration)).toBeCloseTo(duration_s, 0)
      expect(subtitles).toEqual([])
    },
  )

  it('an audio download fetches no video where audio is separate, and the smallest where it is not', async () => {
    const [separate, joined] = [await soundOf('/dash-ladder/manifest.mpd'), await soundOf('/hls-ladder/master.m3u8')]

    const paths = [...separate.requested, ...joined.requested]
    expect(paths.filter(path => /chunk-stream[012]-/.test(path))).toEqual([])
    expect(paths.filter(path => /media-[12]/.test(path))).toEqual([])
  })

  it('an audio download of a video without sound says so', async () => {
    expect(await site.ask('/silent.mp4', { quality: 'audio' })).toMatchObject({
      failure: { kind: 'permanent', sentence: expect.stringContaining('no sound') },
    })
  })
})

describe('an MP3', () => {
  it.each([
    ['/dash-ladder/manifest.mpd', /chunk-stream[012]-/],
    ['/vp9.webm', undefined],
    ['/sound.mp3', undefined],
  ] as const)('is made of %s', async (path, unwanted) => {
    site.media.requests.length = 0
    const { file, streams, format, subtitles } = await site.fetched(path, 'mp3')

    expect(file).toMatch(/\.mp3$/)
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['mp3'])
    expect(format.format_name).toBe('mp3')
    expect(Number(format.duration)).toBeCloseTo(duration_s, 0)
    expect(subtitles).toEqual([])
    if (unwanted) expect(site.media.requests.filter(({ path }) => unwanted.test(path))).toEqual([])
  })

  it('is not made of a video without sound, which says so', async () => {
    expect(await site.ask('/silent.mp4', { quality: 'mp3' })).toMatchObject({
      failure: { kind: 'permanent', sentence: expect.stringContaining('no sound') },
    })
  })
})

it('the chapters that a page lists are kept', async () => {
  const clips = [
    { '@type': 'Clip', name: 'Flour; water = dough', startOffset: 0, endOffset: 2 },
    { '@type': 'Clip', name: '# Baking \\ eating', startOffset: 2, endOffset: 4 },
  ]
  const about = { '@context': 'https://schema.org', '@type': 'VideoObject', name: 'Bread', duration: 'PT4S' }
  const told = JSON.stringify({ ...about, contentUrl: `${site.media.url}/plain.mp4`, hasPart: clips })
  const page = `<!doctype html><title>Bread</title><script type="application/ld+json">${told}</script>`
  site.media.publish('/chapters.html', page, 'text/html')

  for (const quality of ['best', 'audio', 'mp3'] as const) {
    const { chapters, streams, format } = await site.fetched('/chapters.html', quality)

    expect(chapters.map(({ tags }) => tags.title)).toEqual(['Flour; water = dough', '# Baking \\ eating'])
    expect(chapters.map(({ start_time, end_time }) => [Number(start_time), Number(end_time)])).toEqual([
      [0, 2],
      [2, 4],
    ])
    expect(streams.some(({ codec_name }) => codec_name === (quality === 'mp3' ? 'mp3' : 'aac'))).toBe(true)
    expect(Number(format.duration)).toBeCloseTo(duration_s, 0)
  }
})
