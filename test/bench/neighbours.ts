/**
 * Measures `/login` for another person while one person has 1,500 connections that read nothing and looks up 40 pages without
 * a feed. Once with the limits as they are, once without the limits on open files, to see what a stalled reader costs.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { env } from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from '../../src/db/postgres/client.ts'
import { follows, has, person } from '../support/app/people.ts'

const readers = 1500
const discoveries = 40
const size = 256 * 1024 * 1024

export async function neighbours(sql: Sql, database_url: string, folder: string): Promise<object[]> {
  const reader = await person(sql, 'crowd')
  const looker = await person(sql, 'looker')
  await follows(reader, 'c', ['v1'])
  const download_path = `${reader.user.user_id}/c/v1.mp4`
  await mkdir(dirname(join(folder, download_path)), { recursive: true })
  const film = await open(join(folder, download_path), 'w')
  await film.truncate(size)
  await film.close()
  await has(reader, 'v1', download_path, size)

  // The page has no feed, so the service asks yt-dlp.
  const site = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<html><p>nothing</p>'))
  await once(site.listen(0, '127.0.0.1'), 'listening')
  const pages = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  const more = { DATABASE_URL: database_url, DOWNLOADS_DIR: folder, ALLOWED_ADDRESSES: '127.0.0.1' }
  try {
    return [
      await besideCrowd({ ...env, ...more }, { limits: 'usual', reads: reader.cookie, looks: reader.cookie, pages }),
      // A person with this much unread is refused everything else, so a second person does the lookups.
      await besideCrowd({ ...env, ...more }, { limits: 'lifted', reads: reader.cookie, looks: looker.cookie, pages }),
    ]
  } finally {
    site.close()
  }
}

type Crowd = { limits: 'usual' | 'lifted'; reads: string; looks: string; pages: string }

async function besideCrowd(variables: NodeJS.ProcessEnv, { limits, reads, looks, pages }: Crowd): Promise<object> {
  const execArgv = ['--import', './src/runtime/modules.ts']
  const service = fork('test/bench/neighbour-service.ts', [limits], { env: variables, execArgv })
  const [port] = (await once(service, 'message')) as [string]
  const url = `http://127.0.0.1:${port}`
  const sockets: Socket[] = []
  const leaving = new AbortController()
  try {
    const idle = await logins(url)
    const before = await rssOf(service.pid ?? 0)
    for (let n = 0; n < readers; n++) {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
      socket.write(`GET /stream/v1 HTTP/1.1\r\nHost: localhost\r\nCookie: ${reads}\r\n\r\n`)
      sockets.push(socket.pause())
      if (n % 50 === 49) await pause(100)
    }
    // Wait until the system's buffers of each connection are full; from then on the readers stall.
    await pause(8000)
    const each_kib = (await rssOf(service.pid ?? 0)) - before
    let refused = 0
    for (let n = 0; n < discoveries; n++)
      void fetch(`${url}/api/discover?url=${pages}/${n}`, { headers: { cookie: looks }, signal: leaving.signal }).then(
        answer => {
          if (answer.status === 429) refused += 1
        },
        () => {},
      )
    const beside = await logins(url)
    return {
      limits,
      beside: `${readers} stalled readers, ${discoveries} discoveries (${refused} refused)`,
      'idle ms': idle.middle,
      'most idle ms': idle.most,
      'beside ms': beside.middle,
      'most beside ms': beside.most,
      'KiB per reader': limits === 'lifted' ? (each_kib / readers).toFixed(0) : '',
    }
  } finally {
    leaving.abort()
    for (const socket of sockets) socket.destroy()
    service.kill()
  }
}

/** Median and maximum of 40 requests, one every 200 ms. */
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
