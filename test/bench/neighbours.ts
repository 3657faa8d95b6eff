/** How long `/login` takes for somebody else while one person has 1,500 readers that read nothing and 40 discoveries. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { env } from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from '../../src/db/client.ts'
import { follows, has, person } from '../support/people.ts'

const readers = 1500
const discoveries = 40
const size = 256 * 1024 * 1024

export async function neighbours(sql: Sql, database_url: string, folder: string): Promise<object[]> {
  const alice = await person(sql, 'crowd')
  await follows(alice, 'c', ['v1'])
  const download_path = `${alice.user.user_id}/c/v1.mp4`
  await mkdir(dirname(join(folder, download_path)), { recursive: true })
  const film = await open(join(folder, download_path), 'w')
  await film.truncate(size)
  await film.close()
  await has(alice, 'v1', download_path, size)

  // No feed here, so that yt-dlp is asked.
  const site = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<html><p>nothing</p>'))
  await once(site.listen(0, '127.0.0.1'), 'listening')
  const pages = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  const more = { DATABASE_URL: database_url, DOWNLOADS_DIR: folder, ALLOWED_ADDRESSES: '127.0.0.1' }
  const service = fork('test/bench/neighbour-service.ts', { env: { ...env, ...more }, execArgv: ['--import', 'tsx'] })
  const [port] = (await once(service, 'message')) as [string]
  const url = `http://127.0.0.1:${port}`
  const sockets: Socket[] = []
  try {
    const idle = await logins(url)
    const before = await rssOf(service.pid ?? 0)
    for (let n = 0; n < readers; n++) {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
      socket.write(`GET /stream/v1 HTTP/1.1\r\nHost: localhost\r\nCookie: ${alice.cookie}\r\n\r\n`)
      sockets.push(socket.pause())
      if (n % 50 === 49) await pause(100)
    }
    // Until what the system keeps for each connection is full: they stall from then on.
    await pause(8000)
    const each_kib = (await rssOf(service.pid ?? 0)) - before
    const leaving = new AbortController()
    let refused = 0
    for (let n = 0; n < discoveries; n++)
      void fetch(`${url}/api/discover?url=${pages}/${n}`, {
        headers: { cookie: alice.cookie },
        signal: leaving.signal,
      }).then(
        answer => {
          if (answer.status === 429) refused += 1
        },
        () => {},
      )
    const beside = await logins(url)
    leaving.abort()
    return [
      {
        beside: `${readers} stalled readers, ${discoveries} discoveries (${refused} refused)`,
        'login idle ms': idle.middle,
        'most idle ms': idle.most,
        'login ms': beside.middle,
        'most ms': beside.most,
        'KiB per reader': (each_kib / readers).toFixed(0),
      },
    ]
  } finally {
    for (const socket of sockets) socket.destroy()
    service.kill()
    site.close()
  }
}

/** The middle and the longest of 40, one each 200 ms. */
async function logins(url: string) {
  const times: number[] = []
  for (let n = 0; n < 40; n++) {
    const began = performance.now()
    await (await fetch(`${url}/login`)).arrayBuffer()
    times.push(performance.now() - began)
    await pause(200)
  }
  const sorted = times.toSorted((a, b) => a - b)
  return { middle: sorted[20]?.toFixed(0), most: sorted.at(-1)?.toFixed(0) }
}

/** KiB; Linux only. */
async function rssOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN)
}
