/** On loopback: a receiver that keeps the requests it gets. */
import type { IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { siteWith } from './feed-site.ts'

type Received = { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer }

/** `judge`: the status of the answer. Closed at the end of the test. */
export async function receiver(judge: number | ((request: Received) => number | Promise<number>) = 200) {
  const requests: Received[] = []
  const site = await siteWith(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    const received = { method, path, headers, body: await buffer(request) }
    requests.push(received)
    response.writeHead(typeof judge === 'number' ? judge : await judge(received)).end('words of the receiver')
  })
  const nothing: Received = { method: '', path: '', headers: {}, body: Buffer.alloc(0) }
  return { url: site.url, port: site.port, requests, nothing }
}
