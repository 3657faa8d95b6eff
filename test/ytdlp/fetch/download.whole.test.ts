/** Files that do not arrive whole, from the real yt-dlp and ffmpeg against sites on loopback. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { download } from '../../support/media/downloads.ts'
import { getFilm, long_s, minute_s } from '../../support/media/films.ts'
import { withFakeYtdlp } from '../../support/process/fake-tool.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

let place: string
let folder: string
beforeEach(() => {
  place = newFolder()
  folder = newFolder()
})

const bytesOf = async (path: string) => readFile(await getFilm(path))
const broken = { failure: { kind: 'transient', reason: 'unavailable', sentence: expect.stringContaining('whole') } }
const mediaIn = async () => (await readdir(folder)).filter(name => name.startsWith('video.'))

const secondsOf = async (result: object) => {
  if (!('file' in result)) throw new Error(JSON.stringify(result))
  const what = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', String(result.file)]
  return Math.round(Number((await execa(toolsForTests().ffprobe, what)).stdout))
}

/** `seen`: the ranges that were asked for so far; `breakAfter`: the line breaks after these bytes. */
type Answer = (seen: (string | undefined)[]) => { bytes: Buffer; has_length?: boolean; breakAfter?: number }

/** A site with one file, which it sends as `answer` says. */
async function siteWith(answer: Answer) {
  const seen: (string | undefined)[] = []
  const server = createServer((asked, reply) => {
    seen.push(asked.headers.range)
    const { bytes, has_length = true, breakAfter } = answer(seen)
    const from = Number(/^bytes=(\d+)-/.exec(asked.headers.range ?? '')?.[1] ?? 0)
    const part = bytes.subarray(from)
    reply.writeHead(asked.headers.range && has_length ? 206 : 200, {
      'content-type': 'video/mp4',
      ...(has_length && { 'content-length': part.length }),
      ...(asked.headers.range &&
        has_length && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
    })
    if (breakAfter === undefined || from + part.length <= breakAfter) return void reply.end(part)
    reply.write(part.subarray(0, breakAfter - from), () => reply.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const fetched = (signal = new AbortController().signal) =>
    download(
      { tools: toolsForTests(), policy: addressPolicy([host]) },
      { url: `http://${host}/film.mp4`, folder, signal },
    )
  return { fetched, seen }
}

/** Begins a download, and aborts it as soon as the claim is true. */
async function stopWhen(fetched: (signal: AbortSignal) => Promise<unknown>, claim: () => Promise<void>) {
  const stop = new AbortController()
  const stopping = fetched(stop.signal)
  await vi.waitFor(claim, 20_000)
  stop.abort()
  await expect(stopping).rejects.toThrow()
}

describe('a file that is cut off', () => {
  it.each([
    ['whose index is first', '/long.mp4'],
    ['whose index is last', '/long-index-last.mp4'],
    ['in WebM', '/long-vp8.webm'],
  ])('a file %s, of unknown size, fails the download and is removed', async (_, path) => {
    const film = await bytesOf(path)
    const { fetched } = await siteWith(() => ({
      bytes: film.subarray(0, Math.floor(film.length * 0.6)),
      has_length: false,
    }))

    expect(await fetched()).toMatchObject(broken)
    expect(await mediaIn()).toEqual([])
  })

  it('a file with a hole fails the download', async () => {
    const film = Buffer.from(await bytesOf('/long.mp4'))
    film.fill(0, film.length * 0.4, film.length * 0.7)
    const { fetched } = await siteWith(() => ({ bytes: film }))

    expect(await fetched()).toMatchObject(broken)
  })

  it('a file that is shorter than its site says is kept if the second one is as short, or if its recording is not finished', async () => {
    const bring = `cp "${await getFilm('/plain.mp4')}" "$folder/video.mp4"`
    const said = `say plan '{"format_id":"0","duration":600}'`
    const done = `say done "{\\"filepath\\": \\"$folder/video.mp4\\"}"`
    const tools = await withFakeYtdlp(toolsForTests(), place, [bring, said, done].join('\n'))
    const again = (more = {}) =>
      download({ tools, policy: addressPolicy([]) }, { url: 'https://example.org/v', folder, ...more })

    expect(await again({ takes_unfinished: true })).toMatchObject({ file: expect.any(String) })
    expect(await again()).toMatchObject({ failure: { detail: expect.stringContaining('site says 600') } })
    expect(await again()).toMatchObject({ file: expect.any(String) })
  })
})

describe('a partial file', () => {
  it('is begun again when the site sends the rest of another file in the same run', async () => {
    const [film, other] = [await bytesOf('/long.mp4'), await bytesOf('/minute.mp4')]
    // The first request is for the page, the second breaks off.
    const { fetched, seen } = await siteWith(seen =>
      seen.length <= 2 ? { bytes: film, breakAfter: 100_000 } : { bytes: other },
    )

    expect(await secondsOf(await fetched())).toBe(minute_s)
    expect(seen).toContain('bytes=100000-')
  })

  it('is begun again when the site has another file in a later run', async () => {
    const [film, other] = [await bytesOf('/long.mp4'), await bytesOf('/minute.mp4')]
    let now = film
    const { fetched } = await siteWith(() => ({ bytes: now, ...(now === film && { breakAfter: 100_000 }) }))
    await stopWhen(fetched, async () => expect((await stat(join(folder, 'sizes.json'))).size).toBeGreaterThan(0))
    now = other

    expect(await secondsOf(await fetched())).toBe(minute_s)
  })

  it('is begun again when the note of its size was not written whole', async () => {
    await writeFile(join(folder, 'sizes.json'), '[["0 by')
    await writeFile(join(folder, 'video.f0.mp4.part'), 'other bytes')
    const film = await bytesOf('/long.mp4')
    const { fetched } = await siteWith(() => ({ bytes: film }))

    expect(await secondsOf(await fetched())).toBe(long_s)
    expect(await mediaIn()).toEqual(['video.mp4'])
  })

  it('is not continued when the whole size is unknown', async () => {
    const film = await bytesOf('/long.mp4')
    let breakAfter: number | undefined = 100_000
    const { fetched, seen } = await siteWith(() => ({
      bytes: film,
      has_length: false,
      ...(breakAfter && { breakAfter }),
    }))
    await stopWhen(fetched, async () => expect(await mediaIn()).not.toEqual([]))
    breakAfter = undefined
    seen.length = 0

    expect(await secondsOf(await fetched())).toBe(long_s)
    expect(seen.filter(range => range !== undefined && !/^bytes=0-/.test(range))).toEqual([])
  })

  it('is thrown away when it was continued with other bytes of the same size', async () => {
    const film = await bytesOf('/long.mp4')
    const other = Buffer.concat([film.subarray(0, 1000), film.subarray(1000).toReversed()])
    let is_swapped = true
    const { fetched } = await siteWith(seen => {
      if (!is_swapped) return { bytes: film }
      return seen.length <= 2 ? { bytes: film, breakAfter: film.length / 2 } : { bytes: other }
    })

    expect(await fetched()).toMatchObject(broken)
    is_swapped = false
    expect(await secondsOf(await fetched())).toBe(long_s)
  })
})
