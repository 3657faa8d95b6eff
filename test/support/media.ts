/**
 * A video site on loopback: real media made by ffmpeg on the first request for it, in the shapes that sites use.
 * It keeps a record of what was asked, answers ranges, can send slowly, and takes pages and feeds of a test.
 */
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { execa } from 'execa'
import { toolsForTests } from './tools.ts'

export type MediaServer = {
  url: string
  requests: { path: string; search: string; range: string | undefined }[]
  /** Answers at `path` from now on; without a `content_type`, with one that fits a feed. */
  publish(path: string, body: string, content_type?: string): void
  /** Leads from `path` elsewhere from now on. */
  redirect(path: string, location: string): void
  /** Answers 503 to every address with `mark` in it, until the function that is returned is called. */
  refuse(mark: string): () => void
  /** Leaves every address with `mark` in it without an answer, until the function that is returned is called. */
  hold(mark: string): () => void
  close(): Promise<void>
}

export async function openMediaServer(): Promise<MediaServer> {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-media-'))
  const published = new Map<string, { status: number; body: string; headers: Record<string, string> }>()
  const made = new Map<string, Promise<unknown>>()
  const requests: MediaServer['requests'] = []
  const refused = new Set<string>()
  const held = new Map<string, { promise: Promise<void>; resolve(): void }>()

  /** Makes the recipe that a path belongs to, once. */
  const make = async (path: string) => {
    const recipe = recipes.find(({ serves }) => serves.test(path))
    if (!recipe) return
    if (!made.has(recipe.serves.source)) made.set(recipe.serves.source, cook(folder, recipe.args))
    await made.get(recipe.serves.source)
  }
  const answer = async (asked: IncomingMessage, reply: ServerResponse) => {
    const { pathname, search, searchParams } = new URL(asked.url ?? '/', 'http://media')
    requests.push({ path: pathname, search, range: asked.headers.range })
    const marked = pathname + search
    for (const [mark, freed] of held) if (marked.includes(mark)) await freed.promise
    if ([...refused].some(mark => marked.includes(mark))) return void reply.writeHead(503).end()
    const page = published.get(pathname)
    if (page) return void reply.writeHead(page.status, page.headers).end(page.body)
    await make(pathname)
    const file = join(folder, pathname)
    const found = pathname.includes('..') ? undefined : await stat(file).catch(() => undefined)
    if (!found?.isFile())
      return void reply.writeHead(404, { 'content-type': 'text/plain' }).end('There is nothing here.')
    await send(asked, reply, file, found.size, Number(searchParams.get('drip') ?? 0))
  }
  const server = createServer((asked, reply) => {
    answer(asked, reply).catch(() => reply.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))

  const publish: MediaServer['publish'] = (path, body, content_type = 'application/atom+xml; charset=utf-8') =>
    void published.set(path, { status: 200, body, headers: { 'content-type': content_type } })
  const redirect: MediaServer['redirect'] = (path, location) =>
    void published.set(path, { status: 302, body: '', headers: { location } })
  const refuse: MediaServer['refuse'] = mark => {
    refused.add(mark)
    return () => void refused.delete(mark)
  }
  const hold: MediaServer['hold'] = mark => {
    const freed = Promise.withResolvers<void>()
    held.set(mark, freed)
    return () => {
      held.delete(mark)
      freed.resolve()
    }
  }
  publish('/page.html', '<!doctype html><title>A page</title><video src="plain.mp4"></video>', 'text/html')
  const close = async () => {
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    server.closeAllConnections()
    await Promise.allSettled([closed, ...made.values()])
    await rm(folder, { recursive: true, force: true })
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    publish,
    redirect,
    refuse,
    hold,
    close,
  }
}

/** Seconds of every video here. */
export const duration_s = 4

const picture = ['-f', 'lavfi', '-i', `testsrc=size=320x180:rate=15:duration=${duration_s}`]
const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${duration_s}`]
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '15']
const aac = ['-c:a', 'aac', '-b:a', '64k']

/** The same picture in three heights, 180, 360 and 720, each with the sound. */
const heights = [180, 360, 720]
const ladder = [
  ...picture,
  ...sound,
  '-filter_complex',
  `[0:v]split=3[a][b][c];[b]scale=-2:360[b2];[c]scale=-2:720[c2]`,
  ...['-map', '[a]', '-map', '[b2]', '-map', '[c2]'],
  ...h264,
  ...['-b:v:0', '100k', '-b:v:1', '250k', '-b:v:2', '600k'],
]

type Recipe = { serves: RegExp; args: string[] }
const recipes: Recipe[] = [
  { serves: /^\/plain\.mp4$/, args: [...picture, ...sound, ...h264, ...aac, 'plain.mp4'] },
  {
    serves: /^\/dash\//,
    args: [
      ...picture,
      ...sound,
      ...h264,
      ...aac,
      '-f',
      'dash',
      '-seg_duration',
      '1',
      '-adaptation_sets',
      'id=0,streams=v id=1,streams=a',
      'dash/manifest.mpd',
    ],
  },
  {
    serves: /^\/hls\//,
    args: [
      ...picture,
      ...sound,
      ...h264,
      ...aac,
      '-f',
      'hls',
      '-hls_time',
      '1',
      '-hls_playlist_type',
      'vod',
      '-master_pl_name',
      'master.m3u8',
      'hls/media.m3u8',
    ],
  },
  {
    serves: /^\/dash-ladder\//,
    args: [
      ...ladder,
      ...['-map', '1:a', ...aac],
      ...['-f', 'dash', '-seg_duration', '1', '-adaptation_sets', 'id=0,streams=v id=1,streams=a'],
      'dash-ladder/manifest.mpd',
    ],
  },
  {
    serves: /^\/hls-ladder\//,
    args: [
      ...ladder,
      ...heights.flatMap(() => ['-map', '1:a']),
      ...[...aac, '-f', 'hls', '-hls_time', '1', '-hls_playlist_type', 'vod', '-master_pl_name', 'master.m3u8'],
      ...['-var_stream_map', heights.map((_, n) => `v:${n},a:${n}`).join(' '), 'hls-ladder/media-%v.m3u8'],
    ],
  },
  { serves: /^\/silent\.mp4$/, args: [...picture, ...h264, 'silent.mp4'] },
  { serves: /^\/sound\.mp3$/, args: [...sound, '-c:a', 'libmp3lame', 'sound.mp3'] },
  {
    serves: /^\/vp9\.webm$/,
    args: [
      ...picture,
      ...sound,
      '-c:v',
      'libvpx-vp9',
      '-deadline',
      'realtime',
      '-cpu-used',
      '8',
      '-b:v',
      '200k',
      '-c:a',
      'libopus',
      'vp9.webm',
    ],
  },
  {
    serves: /^\/vp8\.webm$/,
    args: [
      ...picture,
      ...sound,
      '-c:v',
      'libvpx',
      '-deadline',
      'realtime',
      '-cpu-used',
      '8',
      '-b:v',
      '200k',
      '-c:a',
      'libvorbis',
      'vp8.webm',
    ],
  },
]

async function cook(folder: string, args: string[]): Promise<void> {
  const { ffmpeg } = toolsForTests()
  await execa('mkdir', ['-p', 'dash', 'hls', 'dash-ladder', 'hls-ladder'], { cwd: folder })
  await execa(ffmpeg, ['-nostdin', '-loglevel', 'error', ...args], { cwd: folder, stdin: 'ignore', timeout: 60_000 })
}

const types: Record<string, string> = {
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.mp3': 'audio/mpeg',
  '.mpd': 'application/dash+xml',
  '.m3u8': 'application/vnd.apple.mpegurl',
  '.ts': 'video/mp2t',
  '.m4s': 'video/iso.segment',
}

/** `drip`: bytes a second; 0: as fast as it goes. */
async function send(
  asked: IncomingMessage,
  reply: ServerResponse,
  file: string,
  size: number,
  drip: number,
): Promise<void> {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(asked.headers.range ?? '') ?? []
  const start = Number(from ?? 0)
  const end = Math.min(size - 1, to ? Number(to) : size - 1)
  if (start >= size) return void reply.writeHead(416, { 'content-range': `bytes */${size}` }).end()
  reply.writeHead(from === undefined ? 200 : 206, {
    'content-type': types[extname(file)] ?? 'application/octet-stream',
    'content-length': end - start + 1,
    'accept-ranges': 'bytes',
    ...(from !== undefined && { 'content-range': `bytes ${start}-${end}/${size}` }),
  })
  if (asked.method === 'HEAD') return void reply.end()
  const bytes = createReadStream(file, { start, end, highWaterMark: drip ? Math.max(1, Math.floor(drip / 10)) : 65536 })
  await pipeline(drip ? bytes.pipe(slowly()) : Readable.from(bytes), reply).catch(() => {})
}

/** One chunk each tenth of a second. */
const slowly = () => {
  return new Transform({
    transform(chunk, _, next) {
      setTimeout(next, 100, null, chunk)
    },
  })
}
