/** Sites with a small film, or with films that arrive very slowly. */
import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execa } from 'execa'

const drip = { bytes: 2000, every_ms: 200 }
const whole_bytes = 1e9

export type VideoSite = { url: string; close(): void }

/** Every address has a film of four seconds and 66 kB. */
export async function openFilmSite(folder: string, ffmpeg: string, address = '127.0.0.3'): Promise<VideoSite> {
  const film = await filmOf66kB(folder, ffmpeg)
  const head = { 'content-type': 'video/mp4', 'content-length': film.length }
  return siteAt(address, (_, answer) => answer.writeHead(200, head).end(film))
}

/** Every address has a gigabyte that arrives at 10 kB a second, from any offset. */
export const openSlowSite = (address: string): Promise<VideoSite> =>
  siteAt(address, (request, answer) => {
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const head = { 'content-type': 'video/mp4', 'content-length': whole_bytes - from, 'accept-ranges': 'bytes' }
    if (from > 0) answer.writeHead(206, { ...head, 'content-range': `bytes ${from}-${whole_bytes - 1}/${whole_bytes}` })
    else answer.writeHead(200, head)
    if (request.method === 'HEAD') return void answer.end()
    const timer = setInterval(() => answer.write(new Uint8Array(drip.bytes)), drip.every_ms)
    answer.on('close', () => clearInterval(timer))
  })

async function siteAt(address: string, listener: RequestListener): Promise<VideoSite> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, address, resolve))
  return {
    url: `http://${address}:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function filmOf66kB(folder: string, ffmpeg: string): Promise<Buffer> {
  const file = join(folder, 'small.mp4')
  const film =
    '-nostdin -loglevel error -f lavfi -i testsrc=size=320x180:rate=15:duration=4 -f lavfi -i sine=duration=4'
  const made = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -b:a 64k -shortest -y'
  await execa(ffmpeg, [...film.split(' '), ...made.split(' '), file])
  return readFile(file)
}
