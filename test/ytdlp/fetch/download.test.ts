/** The real yt-dlp and ffmpeg against a video site on loopback. */
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { Progress } from '../../../src/schema/downloads/download.ts'
import { Probe } from '../../../src/ytdlp/convert/ffmpeg.ts'
import type { Tools } from '../../../src/ytdlp/process/programs.ts'
import { download, succeeded } from '../../support/media/downloads.ts'
import { siteWith } from '../../support/media/feed-site.ts'
import { duration_s } from '../../support/media/films.ts'
import { type MediaServer, openMediaServer } from '../../support/media/media.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

let tools: Tools
let media: MediaServer
let folder: string

beforeAll(async () => {
  tools = toolsForTests()
  media = await openMediaServer()
})
afterAll(() => media.close())
beforeEach(async () => {
  folder = newFolder()
})

async function ask(url: string, { signal = new AbortController().signal, with_tools = tools } = {}) {
  const told: Progress[] = []
  const onProgress = (progress: Progress) => void told.push(progress)
  const policy = addressPolicy([new URL(media.url).host])
  return { result: await download({ tools: with_tools, policy }, { url, folder, signal, onProgress }), told }
}

/** The real tools; ffmpeg encodes a second of film in a second, and reports twice meanwhile. */
async function encodingSlowly(): Promise<Tools> {
  const ffmpeg = join(folder, 'slow-ffmpeg')
  const script = `case " $* " in *libx264*) set -- -re "$@";; esac\nexec '${tools.ffmpeg}' "$@"`
  await writeFile(ffmpeg, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return { ...tools, ffmpeg }
}

async function probe(file: string) {
  const { stdout } = await execa(tools.ffprobe, ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', file])
  return Probe.parse(JSON.parse(stdout))
}

describe('createDownloader', () => {
  it.each([
    ['/plain.mp4', 'h264', 'aac'],
    ['/dash/manifest.mpd', 'h264', 'aac'],
    ['/hls/master.m3u8', 'h264', 'aac'],
    ['/vp9.webm', 'vp9', 'opus'],
    ['/vp8.webm', 'h264', 'aac'],
    ['/page.html', 'h264', 'aac'],
  ])('a download makes an MP4 of %s', async (path, video, audio) => {
    const { result, told } = await ask(media.url + path)

    const { file, file_size } = succeeded(result)
    const { streams, format } = await probe(file)
    expect(format.format_name).toContain('mp4')
    expect(streams.map(stream => stream.codec_name).sort()).toEqual([video, audio].sort())
    expect(format.duration).toBeCloseTo(duration_s, 0)
    expect(file_size).toBe((await stat(file)).size)
    const percents = told.flatMap(({ phase, percent }) => (phase === 'converting' ? [] : (percent ?? [])))
    expect(percents).toEqual(percents.toSorted((a, b) => a - b))
    expect(percents.at(-1)).toBe(100)
    expect(told.at(-1)?.phase).toMatch(/^(converting|processing)$/)
    expect(told.some(({ phase }) => phase === 'merging')).toBe(path.endsWith('.mpd'))
  })

  it('a conversion reports its progress, which never falls', async () => {
    const film = join(folder, 'film.mkv')
    const source = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=50', '-t', '3', '-c:v', 'mpeg4', '-y', film]
    await execa(tools.ffmpeg, ['-loglevel', 'error', ...source])
    media.publish('/film.mkv', await readFile(film), 'video/x-matroska')
    await rm(film)

    const { result, told } = await ask(`${media.url}/film.mkv`, { with_tools: await encodingSlowly() })

    expect(result).toMatchObject({ file_size: expect.any(Number) })
    const converting = told.filter(({ phase }) => phase === 'converting')
    const percents = converting.map(({ percent }) => percent ?? -1)
    expect(percents).toEqual([...new Set(percents)].toSorted((a, b) => a - b))
    expect(percents[0]).toBe(0)
    expect(percents.at(-1)).toBeGreaterThanOrEqual(95)
    expect(percents.filter(percent => percent > 0 && percent < 95).length).toBeGreaterThan(0)
    for (const progress of converting)
      expect(Progress.parse(progress)).toMatchObject({ speed: null, eta_seconds: null })
  })

  it('a video that is gone is reported as gone', async () => {
    const { result } = await ask(`${media.url}/gone`)

    expect(result).toMatchObject({
      failure: { kind: 'permanent', sentence: expect.stringContaining('does not exist') },
    })
  })

  it.each([
    ['a page in place of a file', '/back-soon.mp4', '<html>Back soon</html>', 'text/html'],
    ['a page that is called a file', '/words.mp4', '<html><script>alert(1)</script></html>', 'video/mp4'],
    ['a damaged file whose address does not say what it is', '/get/7', 'ftyp', 'video/mp4'],
  ])('%s is tried again, because the site is unwell', async (_, path, body, type) => {
    media.publish(path, body, type)

    const { result } = await ask(media.url + path)

    expect(result).toMatchObject({ failure: { kind: 'transient', reason: 'unavailable' } })
  })

  it('a page without a video is not tried again', async () => {
    media.publish('/words', '<html>Words</html>', 'text/html')

    const { result } = await ask(`${media.url}/words`)

    expect(result).toMatchObject({ failure: { kind: 'permanent', reason: 'unsupported' } })
  })

  it('a file of sound alone says which quality to choose', async () => {
    const { result } = await ask(`${media.url}/sound.mp3`)

    expect(result).toMatchObject({
      failure: { kind: 'permanent', sentence: expect.stringContaining('This has no picture. Choose sound only') },
    })
  })

  it.each(['file:///etc/hostname', '--exec=id', 'ytsearch:cats', 'ftp://127.0.0.1/a.mp4'])(
    'no process is started for %s',
    async url => {
      const { result } = await ask(url)

      expect(result).toMatchObject({ failure: { kind: 'permanent' } })
      expect(await readdir(folder)).toEqual([])
    },
  )

  it('a download resumes where an earlier attempt in the same folder ended', async () => {
    const url = `${media.url}/plain.mp4?resumed`
    const free = media.holdAfter(50_000, 'resumed')
    onTestFinished(free)
    const stop = new AbortController()
    const stopping = ask(url, { signal: stop.signal })
    await vi.waitFor(async () => expect((await stat(join(folder, 'video.mp4.part'))).size).toBeGreaterThan(0))
    stop.abort()
    await expect(stopping).rejects.toThrow()
    free()
    expect(await readdir(folder)).toContain('video.mp4.part')
    media.requests.length = 0

    const { result } = await ask(url)

    expect((await probe(succeeded(result).file)).format.duration).toBeCloseTo(duration_s, 0)
    expect(media.requests.map(({ range }) => range)).toContainEqual(expect.stringMatching(/^bytes=[1-9]\d*-/))
  })
})

describe('the addresses a download may reach', () => {
  it.each([
    ['a video', (url: string) => `${url}/plain.mp4`],
    ['a tunnel', (url: string) => `${url.replace('http:', 'https:')}/plain.mp4`],
    [
      'a playlist of segments',
      (url: string) => {
        const segments = `#EXTINF:1,\n${url}/0.ts\n#EXTINF:1,\n${url}/1.ts\n#EXT-X-ENDLIST\n`
        media.publish('/inside.m3u8', `#EXTM3U\n#EXT-X-TARGETDURATION:1\n${segments}`, 'application/vnd.apple.mpegurl')
        return `${media.url}/inside.m3u8`
      },
    ],
    [
      'a page',
      (url: string) => {
        media.publish('/inside.html', `<title>A</title><video src="${url}/plain.mp4"></video>`, 'text/html')
        return `${media.url}/inside.html`
      },
    ],
    [
      'a redirect',
      (url: string) => {
        media.redirect('/inside', `${url}/plain.mp4`)
        return `${media.url}/inside`
      },
    ],
  ])('a download cannot reach an inside address that %s leads to', async (_, lead) => {
    const inside = await siteWith((_, reply) => reply.end('inside'))

    const { result } = await ask(lead(inside.url))

    expect(result).toMatchObject({
      failure: { kind: 'transient', sentence: expect.stringContaining('public site') },
    })
    expect(inside.connections).toEqual([])
  })
})
