/**
 * Subtitles, with the real yt-dlp and ffmpeg against a video site on loopback. yt-dlp waits a second before each, so the tests run at once.
 */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { loadedOnce } from '../../../src/runtime/cache.ts'
import { useDownloads } from '../../support/media/downloads.ts'
import { duration_s } from '../../support/media/films.ts'

const site = useDownloads()
const playlist = 'application/vnd.apple.mpegurl'

describe.concurrent('subtitles', () => {
  const words = (text: string) => `WEBVTT\n\n00:00.500 --> 00:02.000\n${text}\n\n00:02.000 --> 00:03.500\nand more\n`

  /** A video with subtitles in these languages; of what is `null` the file is missing. */
  const titled = (name: string, languages: Record<string, string | null>) => {
    const tracks = Object.keys(languages).map(
      tag => `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="${tag}",LANGUAGE="${tag}",URI="${name}-${tag}.m3u8"\n`,
    )
    const picture = `#EXT-X-STREAM-INF:BANDWIDTH=100000,RESOLUTION=320x180,SUBTITLES="subs"\nhls/media.m3u8\n`
    site.media.publish(`/${name}.m3u8`, `#EXTM3U\n${tracks.join('')}${picture}`, playlist)
    for (const [tag, text] of Object.entries(languages)) {
      const list = `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n${name}-${tag}.vtt\n#EXT-X-ENDLIST\n`
      site.media.publish(`/${name}-${tag}.m3u8`, list, playlist)
      if (text !== null) site.media.publish(`/${name}-${tag}.vtt`, text, 'text/vtt')
    }
    return `/${name}.m3u8`
  }

  it('subtitles are saved as files and inside the video, English first', async () => {
    const path = titled('spoken', { de: words('Guten Tag'), en: words('Good day'), 'pt-BR': words('Bom dia') })

    const { subtitles = [], streams, format } = await site.fetched(path)

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

  /** Each faulty subtitle is fetched before the good one. The video is downloaded once. */
  const withFaultyOnes = loadedOnce(() =>
    site.fetched(
      titled('faulty', {
        en: null,
        de: '<!doctype html><title>Sign in</title>',
        // The limit is four megabytes.
        es: words('x'.repeat(4 * 1024 * 1024)),
        fr: words('Bonjour'),
      }),
    ),
  )

  it.each([
    ['is missing', 'en'],
    ['is a page', 'de'],
    ['is too long', 'es'],
  ])('a subtitle that %s costs neither the video nor the other subtitles', async (_, faulty_language) => {
    const { subtitles, streams } = await withFaultyOnes()

    expect(subtitles?.map(({ language }) => language)).not.toContain(faulty_language)
    expect(subtitles?.map(({ language }) => language)).toEqual(['fr'])
    expect(streams.map(({ codec_type }) => codec_type).sort()).toEqual(['audio', 'subtitle', 'video'])
  })

  it('missing subtitles do not cost the video', async () => {
    const { subtitles, streams } = await site.fetched(titled('lost', { en: null, fr: null }))

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
    site.media.publish('/tracks.html', `<title>A</title><video src="plain.mp4">${tracks}</video>`, 'text/html')
    site.media.publish('/en.vtt', words('Good day'), 'text/vtt')
    site.media.publish('/de.srt', '1\n00:00:00,500 --> 00:00:02,000\nGuten Tag\n', 'text/plain')
    site.media.publish('/fr.vtt', '<!doctype html><!-- WEBVTT --><title>Sign in</title>', 'text/vtt')

    const { subtitles = [], streams } = await site.fetched('/tracks.html')

    expect(subtitles.map(({ language }) => language)).toEqual(['en', 'de'])
    expect(await readFile(subtitles[1]?.file ?? '', 'utf8')).toMatch(/^WEBVTT[\s\S]*Guten Tag/)
    expect(streams.filter(({ codec_type }) => codec_type === 'subtitle')).toHaveLength(2)
  })

  it('subtitles cannot lead to an address that a video may not lead to', async ({ onTestFinished }) => {
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
    site.media.publish('/inside-en.m3u8', list, playlist)

    const { subtitles, streams } = await site.fetched(path)

    expect(reached).toBe(0)
    expect(subtitles).toEqual([])
    expect(streams).toHaveLength(2)
  })

  it('subtitles are given up when the download is aborted', async ({ onTestFinished }) => {
    const path = titled('slow', { en: words('Good day') })
    const free = site.media.hold('slow-en.vtt')
    onTestFinished(free)
    const stop = new AbortController()
    const running = site.ask(path, { signal: stop.signal })
    await vi.waitFor(() => expect(site.media.requests.map(({ path }) => path)).toContain('/slow-en.vtt'))

    stop.abort()

    await expect(running).rejects.toThrow()
  })
})
