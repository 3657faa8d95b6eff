/**
 * Measures `/login` for another person while one person overloads the service: with 1,500 connections that read nothing, and
 * 40 lookups of pages without a feed.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { giveFile } from '../rows/stream.ts'
import type { Bench } from '../run/bench.ts'
import { median } from '../run/figures.ts'
import { addPeople } from '../run/seed.ts'
import { openSide } from '../run/side.ts'

const readers = 1500
const discoveries = 40
const size = 256 * 1024 * 1024

export async function neighbours({ checkouts: { now }, databases, folder }: Bench): Promise<object[]> {
  const side = await openSide('now', now, databases, folder)
  const [crowd] = await addPeople(side.database.sql, 1)
  if (!crowd) throw new Error('no person')
  await giveFile(side, [crowd], size)
  // The page has no feed, so the service starts yt-dlp.
  const site = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<html><p>nothing</p>'))
  await once(site.listen(0, '127.0.0.1'), 'listening')
  const page = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  const web = await side.start('web')

  const idle = await logins(web.url)
  const before = await web.usage()
  const head = Object.entries({ host: 'localhost', ...crowd.headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  for (let n = 0; n < readers; n++) {
    const socket = connect(Number(new URL(web.url).port), '127.0.0.1').on('error', () => {})
    socket.write(`GET /stream/c1v1 HTTP/1.1\r\n${head.join('')}\r\n`)
    socket.pause()
    if (n % 50 === 49) await setTimeout(100)
  }
  // Wait until the system's buffers of each connection are full; from then on the readers stall.
  await setTimeout(8000)
  const stalled = await web.usage()
  let refused = 0
  for (let n = 0; n < discoveries; n++)
    void fetch(`${web.url}/api/discover?url=${page}/${n}`, { headers: crowd.headers }).then(
      answer => {
        if (answer.status === 429) refused += 1
      },
      () => {},
    )
  const busy = await logins(web.url)
  return [
    { neighbour: 'idle', 'login ms': idle.middle, 'most ms': idle.most },
    {
      neighbour: `${readers} stalled readers, ${discoveries} lookups (${refused} refused)`,
      'login ms': busy.middle,
      'most ms': busy.most,
      'MB of all readers': Math.round(stalled.mb - before.mb),
    },
  ]
}

/** Median and maximum of 40 requests, one every 200 ms. */
async function logins(url: string) {
  const times: number[] = []
  for (let n = 0; n < 40; n++) {
    const began = performance.now()
    await (await fetch(`${url}/login`)).arrayBuffer()
    times.push(performance.now() - began)
    await setTimeout(200)
  }
  return { middle: Math.round(median(times)), most: Math.round(Math.max(...times)) }
}
