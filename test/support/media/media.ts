/**
 * A video site on loopback: the real media of `films.ts`, in the shapes that sites use.
 * It records the requests, answers ranges, can send slowly, and serves pages and feeds that a test publishes.
 */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { filmsSettled, findFilm } from './films.ts'

export type MediaServer = {
  url: string
  requests: { path: string; search: string; range: string | undefined; from: string | undefined }[]
  /** The most addresses whose files it was sending at one moment. */
  most_at_once: number
  /** Answers at `path` from now on; without a `content_type`, with one that fits a feed. */
  publish(path: string, body: string | Buffer, content_type?: string): void
  /** Redirects `path` to another address from now on. */
  redirect(path: string, location: string): void
  /** Answers 503 to every address with `mark` in it, until the function that is returned is called. */
  refuse(mark: string): () => void
  /** Leaves every address with `mark` in it without an answer, until the function that is returned is called. */
  hold(mark: string): () => void
  /** Sends these bytes of every file with `mark` in its address, and the rest only when the function that is returned is called. */
  holdAfter(bytes: number, mark: string): () => void
  close(): Promise<void>
}

export async function openMediaServer(address = '127.0.0.1', name = address): Promise<MediaServer> {
  const published = new Map<string, { status: number; body: string | Buffer; headers: Record<string, string> }>()
  const requests: MediaServer['requests'] = []
  const refused = new Set<string>()
  const held = new Map<string, { promise: Promise<void>; resolve(): void }>()
  const stops = new Map<string, Stop>()
  const sending: string[] = []

  const answer = async (asked: IncomingMessage, reply: ServerResponse) => {
    const { pathname, search, searchParams } = new URL(asked.url ?? '/', 'http://media')
    requests.push({ path: pathname, search, range: asked.headers.range, from: asked.socket.remoteAddress })
    const marked = pathname + search
    for (const [mark, freed] of held) if (marked.includes(mark)) await freed.promise
    if ([...refused].some(mark => marked.includes(mark))) return void reply.writeHead(503).end()
    const page = published.get(pathname)
    if (page) return void reply.writeHead(page.status, page.headers).end(page.body)
    const file = pathname.includes('..') ? undefined : await findFilm(pathname)
    const found = file === undefined ? undefined : await stat(file).catch(() => undefined)
    if (file === undefined || !found?.isFile())
      return void reply.writeHead(404, { 'content-type': 'text/plain' }).end('There is nothing here.')
    const [stop] = [...stops].flatMap(([mark, held]) => (marked.includes(mark) ? [held] : []))
    sending.push(marked)
    opened.most_at_once = Math.max(opened.most_at_once, new Set(sending).size)
    const pace = { drip: Number(searchParams.get('drip') ?? 0), stop }
    await send(asked, reply, file, found.size, pace).finally(() => sending.splice(sending.indexOf(marked), 1))
  }
  const server = createServer((asked, reply) => {
    answer(asked, reply).catch(() => reply.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, address, resolve))

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
  const holdAfter: MediaServer['holdAfter'] = (bytes, mark) => {
    const freed = Promise.withResolvers<void>()
    stops.set(mark, { bytes, freed: freed.promise })
    return () => {
      stops.delete(mark)
      freed.resolve()
    }
  }
  publish('/page.html', '<!doctype html><title>A page</title><video src="plain.mp4"></video>', 'text/html')
  const close = async () => {
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    server.closeAllConnections()
    await Promise.all([closed, filmsSettled()])
  }
  const opened: MediaServer = {
    url: `http://${name}:${(server.address() as AddressInfo).port}`,
    requests,
    most_at_once: 0,
    publish,
    redirect,
    refuse,
    hold,
    holdAfter,
    close,
  }
  return opened
}

const types: Record<string, string> = {
  '.jpg': 'image/jpeg',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.mp3': 'audio/mpeg',
  '.mpd': 'application/dash+xml',
  '.m3u8': 'application/vnd.apple.mpegurl',
  '.ts': 'video/mp2t',
  '.m4s': 'video/iso.segment',
}

type Stop = { bytes: number; freed: Promise<void> }
/** `drip`: bytes a second; 0: as fast as possible. */
type Pace = { drip: number; stop: Stop | undefined }

async function send(
  asked: IncomingMessage,
  reply: ServerResponse,
  file: string,
  size: number,
  { drip, stop }: Pace,
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
  const paced = drip ? bytes.pipe(slowly()) : stop ? heldAfter(bytes, start, stop) : bytes
  await pipeline(Readable.from(paced), reply).catch(() => {})
}

async function* heldAfter(bytes: AsyncIterable<Buffer>, start: number, { bytes: most, freed }: Stop) {
  let at = start
  for await (const chunk of bytes) {
    const free = Math.max(0, Math.min(chunk.length, most - at))
    at += chunk.length
    if (free > 0) yield chunk.subarray(0, free)
    if (free < chunk.length) {
      await freed
      yield chunk.subarray(free)
    }
  }
}

/** One chunk each tenth of a second. */
const slowly = () => {
  return new Transform({
    transform(chunk, _, next) {
      setTimeout(next, 100, null, chunk)
    },
  })
}
