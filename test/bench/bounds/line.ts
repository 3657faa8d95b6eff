/** A site whose files all come over one line of a given speed, as those of a real site come over the line of a household. */
import { open, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

export type Line = {
  url: string
  setMegabits(a_second: number): void
  /** Resolves when no file is on the line, so that an ended download does not slow down what follows. */
  free(): Promise<void>
  close(): void
}

const piece_bytes = 16_384
const types: Record<string, string> = {
  '.html': 'text/html',
  '.mp4': 'video/mp4',
  '.mpd': 'application/dash+xml',
  '.m3u8': 'application/vnd.apple.mpegurl',
  '.ts': 'video/mp2t',
  '.m4s': 'video/iso.segment',
}

/** Serves the files of `folder`, with ranges. */
export async function openLine(folder: string): Promise<Line> {
  let bytes_a_ms = Number.POSITIVE_INFINITY
  let free_at = 0
  const sending = new Set<Promise<void>>()
  /** Resolves when the line has carried so many bytes after all that were there before. */
  const carried = async (bytes: number) => {
    free_at = Math.max(free_at, performance.now()) + bytes / bytes_a_ms
    await setTimeout(Math.max(0, free_at - performance.now()))
  }

  async function send(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { pathname } = new URL(asked.url ?? '/', 'http://line')
    const file = join(folder, pathname)
    const found = await stat(file).catch(() => undefined)
    if (!found?.isFile()) return void answer.writeHead(404).end()
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(asked.headers.range ?? '') ?? []
    const start = Number(from ?? 0)
    const end = Math.min(found.size, to ? Number(to) + 1 : found.size)
    answer.writeHead(from === undefined ? 200 : 206, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'content-length': end - start,
      'accept-ranges': 'bytes',
      ...(from !== undefined && { 'content-range': `bytes ${start}-${end - 1}/${found.size}` }),
    })
    const handle = await open(file)
    try {
      for (let at = start; at < end && !answer.destroyed; at += piece_bytes) {
        const length = Math.min(piece_bytes, end - at)
        const { buffer } = await handle.read(Buffer.alloc(length), 0, length, at)
        await carried(length)
        answer.write(buffer)
      }
    } finally {
      await handle.close()
      answer.end()
    }
  }

  const server = createServer((asked, answer) => {
    const sent = send(asked, answer)
      .catch(() => void answer.destroy())
      .finally(() => sending.delete(sent))
    sending.add(sent)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.4', resolve))
  return {
    url: `http://127.0.0.4:${(server.address() as AddressInfo).port}`,
    setMegabits(a_second) {
      bytes_a_ms = (a_second * 1e6) / 8 / 1000
    },
    async free() {
      while (sending.size > 0) await Promise.all(sending)
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
