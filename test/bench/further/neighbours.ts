/**
 * Measures a page of another person while one person overloads the service: with 1,500 connections that read nothing, with 40 lookups of
 * pages without a feed, with the home page of a huge library, and with exports of everything.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { giveFile } from '../rows/stream.ts'
import type { Bench } from '../run/bench.ts'
import { median } from '../run/figures.ts'
import { addPeople, fillLibraries, type Person } from '../run/seed.ts'
import { openSide } from '../run/side.ts'

const readers = 1500
const discoveries = 40
const size = 256 * 1024 * 1024

export async function neighbours({ checkouts: { now }, databases, folder }: Bench): Promise<object[]> {
  const side = await openSide('now', now, databases, folder)
  const [crowd, huge, other] = await addPeople(side.database.sql, 3)
  if (!crowd || !huge || !other) throw new Error('no people')
  await giveFile(side, [crowd], size)
  await fillLibraries(side.database.sql, [huge], { channels: 200, entries_each: 60 })
  await fillLibraries(side.database.sql, [other], { channels: 10, entries_each: 60 })
  // The page has no feed, so the service starts yt-dlp.
  const site = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<html><p>nothing</p>'))
  await once(site.listen(0, '127.0.0.1'), 'listening')
  const page = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  const web = await side.start('web')
  const measured = (neighbour: string) => homes(neighbour, web.url, other)
  const besides = async (neighbour: string, at_once: number, path: string) => {
    const ending = new AbortController()
    const asking = Array.from({ length: at_once }, () => askAgain(web.url + path, huge, ending.signal))
    const figures = await measured(neighbour)
    ending.abort()
    await Promise.all(asking)
    return figures
  }

  const idle = await measured('idle')
  const pages = await besides('10 home pages of 12,000 videos at once', 10, '/')
  const exports = await besides('6 exports of 12,000 videos at once', 6, '/api/archive')

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
  const busy = await measured(`${readers} stalled readers, ${discoveries} lookups`)
  return [idle, pages, exports, { ...busy, refused, 'MB of all readers': Math.round(stalled.mb - before.mb) }]
}

/** Asks again and again until `signal` ends it. */
async function askAgain(url: string, { headers }: Person, signal: AbortSignal): Promise<void> {
  while (!signal.aborted)
    try {
      const answer = await fetch(url, { headers, signal })
      await answer.arrayBuffer()
      if (!answer.ok) await setTimeout(200)
    } catch {
      // Ended.
    }
}

/** Median and maximum of 40 requests for the home page, one every 200 ms. */
async function homes(neighbour: string, url: string, { headers }: Person) {
  const times: number[] = []
  for (let n = 0; n < 40; n++) {
    const began = performance.now()
    await (await fetch(url, { headers })).arrayBuffer()
    times.push(performance.now() - began)
    await setTimeout(200)
  }
  return { neighbour, 'home ms': Math.round(median(times)), 'most ms': Math.round(Math.max(...times)) }
}
