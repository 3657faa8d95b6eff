/**
 * Tests a yt-dlp before it is used: one real download of a tiny film from a page on this machine. It shows that this version
 * runs, knows its arguments, reads a page and prints the lines that we read.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addressPolicy } from '../../net/addresses.ts'
import { createDownloader } from '../run/download.ts'
import type { Tools } from '../run/tools.ts'

/** Why the test failed; `undefined`: it passed. */
export async function selfTest(tools: Tools, longest_ms = 90_000): Promise<string | undefined> {
  const site = await openSite()
  const folder = await mkdtemp(join(tmpdir(), 'backlot-self-test-'))
  try {
    const policy = addressPolicy([`127.0.0.1:${site.port}`])
    const download = createDownloader({ tools, policy, silence_ms: 30_000, longest_ms })
    const signal = AbortSignal.timeout(longest_ms + 10_000)
    const result = await download({ url: `http://127.0.0.1:${site.port}/watch`, folder, signal, onProgress() {} })
    if ('failure' in result) return result.failure.detail || result.failure.sentence
    return result.file_size > 0 ? undefined : 'the film is empty'
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  } finally {
    await site.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const page = '<!doctype html><title>A film</title><video src="/film.mp4" type="video/mp4"></video>'

async function openSite() {
  const server = createServer((asked, reply) => {
    const answers: Record<string, [type: string, body: string | Buffer]> = {
      '/watch': ['text/html', page],
      '/film.mp4': ['video/mp4', Buffer.from(film, 'base64')],
    }
    const [type, body] = answers[asked.url ?? ''] ?? []
    if (type === undefined || body === undefined) return void reply.writeHead(404).end()
    reply.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
    reply.end(asked.method === 'HEAD' ? undefined : body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { port: (server.address() as AddressInfo).port, close }
}

/** One second of black, 64 × 64 pixels, H.264 in MP4. */
const film = `
AAAAIGZ0eXBpc29tAAACAGlzb21pc28yYXZjMW1wNDEAAAMPbW9vdgAAAGxtdmhkAAAAAAAAAAAAAAAAAAAD6AAAA+gAAQAAAQAAAAAAAAAAAA
AAAAEAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgAAAl50cmFrAAAAXHRraGQA
AAADAAAAAAAAAAAAAAABAAAAAAAAA+gAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAABAAAAAAEAAAABAAA
AAAAAkZWR0cwAAABxlbHN0AAAAAAAAAAEAAAPoAAAAAAABAAAAAAHWbWRpYQAAACBtZGhkAAAAAAAAAAAAAAAAAABAAAAAQABVxAAAAAAALWhk
bHIAAAAAAAAAAHZpZGUAAAAAAAAAAAAAAABWaWRlb0hhbmRsZXIAAAABgW1pbmYAAAAUdm1oZAAAAAEAAAAAAAAAAAAAACRkaW5mAAAAHGRyZW
YAAAAAAAAAAQAAAAx1cmwgAAAAAQAAAUFzdGJsAAAAwXN0c2QAAAAAAAAAAQAAALFhdmMxAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAEAAQABI
AAAASAAAAAAAAAABDExhdmMgbGlieDI2NAAAAAAAAAAAAAAAAAAAAAAAAAAAGP//AAAAN2F2Y0MBZAAK/+EAGmdkAAqscgREJsBEAAADAAQAAA
MAEDxIlhGAAQAGaOhDjyyL/fj4AAAAABBwYXNwAAAAAQAAAAEAAAAUYnRydAAAAAAAAAGoAAABqAAAABhzdHRzAAAAAAAAAAEAAAACAAAgAAAA
ABRzdHNzAAAAAAAAAAEAAAABAAAAHHN0c2MAAAAAAAAAAQAAAAEAAAACAAAAAQAAABxzdHN6AAAAAAAAAAAAAAACAAAAJgAAAA8AAAAUc3Rjbw
AAAAAAAAABAAADPwAAAD11ZHRhAAAANW1ldGEAAAAAAAAAIWhkbHIAAAAAAAAAAG1kaXJhcHBsAAAAAAAAAAAAAAAACGlsc3QAAAAIZnJlZQAA
AD1tZGF0AAAAImWIgQACn/73x0/ApurcIsudRT0hIa7A/1JtCiTED8nfSMEAAAALQZoILYgl//61K+8=`
