/** A video is cut into segments while the real yt-dlp still downloads it, from a video site on loopback that holds back the rest. */
import { createReadStream } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { createDownloader } from '../../../src/ytdlp/fetch/download.ts'
import { makeHlsSegments } from '../../../src/ytdlp/fetch/hls-segments.ts'
import type { ArrivingFacts } from '../../../src/ytdlp/process/download-context.ts'
import { findFilm, long_s } from '../../support/media/films.ts'
import { type MediaServer, openMediaServer } from '../../support/media/media.ts'
import { processesWith } from '../../support/process/running.ts'
import { patientFfmpeg, toolsForTests } from '../../support/process/tools.ts'
import { exists } from '../../support/run/made-once.ts'
import { newFolder } from '../../support/run/new-folder.ts'

let media: MediaServer
let folder: string

beforeAll(async () => {
  media = await openMediaServer()
})
afterAll(() => media.close())
beforeEach(() => {
  folder = newFolder()
  media.requests.splice(0)
})

/** Starts a download. `want` is called when someone wants to watch it. */
function arriving(path: string, tools = toolsForTests()) {
  const { promise: wanted, resolve: want } = Promise.withResolvers<void>()
  const said: ArrivingFacts[] = []
  const segments = join(folder, 'segments')
  const work = join(folder, 'work')
  const newFolder = async () => {
    await rm(segments, { recursive: true, force: true })
    await mkdir(segments)
    return segments
  }
  // The film is made first: on a busy machine, that takes longer than yt-dlp waits for an answer.
  const ended = Promise.all([mkdir(work), findFilm(path)]).then(() =>
    createDownloader({ tools, policy: addressPolicy([new URL(media.url).host]) })({
      url: media.url + path,
      folder: work,
      signal: new AbortController().signal,
      onProgress: () => {},
      arriving: { wanted, newFolder, say: async facts => void said.push(facts) },
    }),
  )
  const playlist = () => readFile(join(segments, 'index.m3u8'), 'utf8').catch(() => '')
  const begun = () => until(async () => expect(countOf(await playlist())).toBeGreaterThan(0))
  return { want, said, work, segments, playlist, begun, ended }
}

/** Bytes: about half of each of the long films. */
const half = 1_500_000

const until = (claim: () => unknown) => vi.waitFor(claim, { interval: 50, timeout: 60_000 })

const countOf = (playlist: string) => playlist.match(/^\d+\.m4s$/gm)?.length ?? 0

/** The streams of the first segments, as a player would read them. */
async function streamsIn(folder: string) {
  const start = Buffer.concat(await Promise.all(['init.mp4', '0.m4s'].map(name => readFile(join(folder, name)))))
  const args = ['-v', 'error', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', '-i', 'pipe:0']
  return (await execa(toolsForTests().ffprobe, args, { input: start })).stdout.split('\n')
}

it('a file with picture and sound can be played from the part of it that has arrived, and says how long it is', async () => {
  const free = media.holdAfter(half, '/long.mp4')
  onTestFinished(free)
  const { want, said, segments, playlist, begun, ended } = arriving('/long.mp4')
  want()
  await begun()
  expect(await streamsIn(segments)).toEqual(['h264', 'aac'])
  expect(said.at(-1)?.has_all).toBeUndefined()
  expect(said.at(-1)?.duration_s).toBeCloseTo(long_s, 0)
  expect(await playlist()).not.toContain('#EXT-X-ENDLIST')
  free()
  expect(await ended).toMatchObject({ file: expect.stringContaining('.mp4') })
})

it('separate picture and sound arrive at the same time, and nothing is fetched twice', async () => {
  const free = media.hold('chunk-stream0-00008')
  onTestFinished(free)
  const { want, work, segments, begun, ended } = arriving('/long-dash/manifest.mpd')
  want()
  await begun()
  expect(await streamsIn(segments)).toEqual(['h264', 'aac'])
  await until(async () => expect(await readdir(work)).toContainEqual(expect.stringMatching(/^video\.f1\.\w+$/)))
  free()
  expect(await ended).toMatchObject({ file: expect.any(String) })
  const sound = media.requests.filter(({ path }) => path.includes('stream1')).map(({ path }) => path)
  expect(sound.length).toBeGreaterThan(2)
  expect(new Set(sound).size).toBe(sound.length)
})

it('where the sound cannot be fetched ahead, the segments go on with the sound of the download', async () => {
  const free = media.hold('chunk-stream0-00008')
  onTestFinished(free)
  const answerAgain = media.refuse('chunk-stream1-00004')
  onTestFinished(answerAgain)
  // Otherwise the download may be complete before there are segments.
  const { FFMPEG_PATH: ffmpeg, hold } = await patientFfmpeg(folder, 'video.f1')
  const { want, work, begun, ended } = arriving('/long-dash/manifest.mpd', { ...toolsForTests(), ffmpeg })
  want()
  const ahead = join(work, 'ahead', 'sound.f1.m4a.part')
  const sizeAhead = () =>
    stat(ahead).then(
      ({ size }) => size,
      () => 0,
    )
  await until(async () => expect(await sizeAhead()).toBeGreaterThan(0))
  // It would try again for half a minute before it gives up.
  for (const { pid } of await processesWith(join(work, 'ahead'))) process.kill(pid)
  await until(async () => expect(await sizeAhead()).toBe(0))
  answerAgain()
  free()
  await begun()
  await rm(hold)
  expect(await ended).toMatchObject({ file: expect.any(String) })
})

it('while picture and sound are joined, it is known that every part has arrived', async () => {
  const { FFMPEG_PATH: ffmpeg, hold, held } = await patientFfmpeg(folder, 'video.f1')
  const { want, said, playlist, ended } = arriving('/long-dash/manifest.mpd', { ...toolsForTests(), ffmpeg })
  want()
  await until(async () => expect(await exists(held)).toBe(true))
  await until(() => expect(said.at(-1)).toMatchObject({ is_whole_only: false, has_all: true }))
  expect(await playlist()).toContain('#EXT-X-ENDLIST')
  await rm(hold)
  expect(await ended).toMatchObject({ file: expect.any(String) })
})

it('an HLS source arrives as it is fetched', async () => {
  const free = media.hold('media8.ts')
  onTestFinished(free)
  const { want, segments, begun, ended } = arriving('/long-hls/media.m3u8')
  want()
  await begun()
  expect(await streamsIn(segments)).toEqual(['h264', 'aac'])
  free()
  expect(await ended).toMatchObject({ file: expect.any(String) })
})

it('a video can be watched from the middle of its download on', async () => {
  const free = media.holdAfter(half, '/long.mp4')
  onTestFinished(free)
  const { want, said, begun, ended } = arriving('/long.mp4')
  await until(() => expect(media.requests.some(({ path }) => path === '/long.mp4')).toBe(true))
  expect(said).toEqual([])
  want()
  await begun()
  free()
  await ended
})

it.each(['/long-index-last.mp4', '/long-vp8.webm'])('%s can be watched only when it is complete', async path => {
  const free = media.holdAfter(half, path)
  onTestFinished(free)
  const { want, said, playlist, ended } = arriving(path)
  want()
  await until(() => expect(said.at(-1)).toMatchObject({ is_whole_only: true }))
  expect(await playlist()).toBe('')
  free()
  expect(await ended).toMatchObject({ file: expect.any(String) })
})

it('a film that would become too many segments is not cut any further, and counts as one that must be complete', async () => {
  const segments = join(folder, 'few')
  await mkdir(segments)
  const film = join(folder, 'film.mp4')
  const source = ['-f', 'lavfi', '-i', 'color=s=16x16:r=1:d=60', '-c:v', 'libx264', '-g', '1']
  await execa(toolsForTests().ffmpeg, ['-v', 'error', ...source, '-movflags', '+faststart', film])
  const make = (most: number) =>
    makeHlsSegments(
      { tools: toolsForTests(), deadline: performance.now() + 60_000 },
      { inputs: [() => createReadStream(film)], has_stream_headers: false, onLength() {} },
      segments,
      new AbortController().signal,
      most,
    )

  expect(await make(5)).toBe(false)
  expect(await make(30)).toBe(true)
})

it('where key frames are far apart, parts for our own player come before the second one', async () => {
  const segments = join(folder, 'early')
  await mkdir(segments)
  const film = join(folder, 'film.mp4')
  const source = ['-f', 'lavfi', '-i', 'testsrc=s=320x180:r=10:d=30,noise=alls=40:allf=t']
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '240']
  await execa(toolsForTests().ffmpeg, ['-v', 'error', ...source, ...coding, '-movflags', '+faststart', film])
  const bytes = await readFile(film)
  const read = (name: string) => readFile(join(segments, name), 'utf8').catch(() => '')
  let whole: string | undefined
  async function* slowly() {
    const half_of_it = Math.floor(bytes.length / 2)
    yield bytes.subarray(0, half_of_it)
    await until(async () => expect(await read('early.m3u8')).toContain('early25.m4s'))
    whole = await read('index.m3u8')
    yield bytes.subarray(half_of_it)
  }
  const context = { tools: toolsForTests(), deadline: performance.now() + 60_000 }
  const wanted = { inputs: [slowly], has_stream_headers: false, onLength() {} }

  expect(await makeHlsSegments(context, wanted, segments, new AbortController().signal)).toBe(true)

  expect(whole).toBe('')
  expect(countOf(await read('index.m3u8'))).toBe(2)
})

it('without a viewer no segments are made', async () => {
  const { said, playlist, ended } = arriving('/long.mp4')
  expect(await ended).toMatchObject({ file: expect.any(String) })
  expect(said).toEqual([])
  expect(await playlist()).toBe('')
})
