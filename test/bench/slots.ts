/**
 * Measures how long one person's small video waits behind another person's 40 very slow downloads, compared with an idle
 * neighbour. Both slots are taken when it is requested: the longest wait behind one other person. Takes about two minutes.
 */
import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { env } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { execa } from 'execa'
import { pino } from 'pino'
import { startWorker } from '../../jobs/worker/main.ts'
import { workerParts } from '../../jobs/worker/parts.ts'
import { readConfig } from '../../src/config.ts'
import type { Sql } from '../../src/db/postgres/client.ts'
import { placesInQueue } from '../../src/db/queue/places.ts'
import { entry, type Person, person } from '../support/app/people.ts'

const drip = { bytes: 2000, every_ms: 200 }
const whole_bytes = 1e9
const longest_ms = 180_000

export async function slots(sql: Sql, folder: string, database_url: string) {
  const film = await filmOf66kB(folder)
  const sites = [await siteAt('127.0.0.1', drips), await siteAt('127.0.0.2', drips)]
  const own = await siteAt('127.0.0.3', (_, answer) =>
    answer.writeHead(200, { 'content-type': 'video/mp4', 'content-length': film.length }).end(film),
  )
  const config = readConfig({ ...env, DOWNLOADS_DIR: join(folder, 'downloads'), ALLOWED_ADDRESSES: '127.0.0.0/8' })
  const worker = await startWorker(workerParts(config, sql, pino({ level: 'silent' })), {
    database_url,
    concurrency: 2,
  })
  const [mallory, victim] = [await person(sql, 'mallory'), await person(sql, 'victim')]
  try {
    await asks(victim, ['first'], [own.url])
    await ends(victim, 'first')
    const idle_ms = await timed(() => asks(victim, ['idle'], [own.url]).then(() => ends(victim, 'idle')))

    const drips_of = Array.from({ length: 40 }, (_, n) => `d${n}`)
    await asks(
      mallory,
      drips_of,
      sites.map(({ url }) => url),
    )
    await until(async () => (await mallory.library.videos.tally()).running === 2)
    const busy_ms = await timed(() => asks(victim, ['busy'], [own.url]).then(() => ends(victim, 'busy')))
    const { running } = await mallory.library.videos.tally()
    return [
      { neighbour: 'idle', 'small video completed after': seconds(idle_ms) },
      {
        neighbour: '40 downloads of 10 kB/s, both slots taken',
        'small video completed after': seconds(busy_ms),
        running,
      },
    ]
  } finally {
    await worker.stop()
    for (const site of [...sites, own]) site.close()
  }
}

/** The time to compute the queue positions of a page of 50, while 10,000 downloads of 100 people wait. */
export async function places(sql: Sql) {
  const people = []
  for (let n = 0; n < 100; n++) {
    const who = await person(sql, 'crowd')
    await asks(
      who,
      Array.from({ length: 100 }, (_, m) => `p${m}`),
      [`https://host${n % 20}.example`],
    )
    people.push(who)
  }
  await sql`analyze graphile_worker._private_jobs`
  const [who] = people
  const page = Array.from({ length: 50 }, (_, m) => `p${m}`)
  const times = []
  for (let round = 0; round < 21; round++) {
    const began = performance.now()
    await placesInQueue(sql, (who as Person).user.user_id, page)
    times.push(performance.now() - began)
  }
  return times.toSorted((a, b) => a - b)[10] ?? 0
}

async function asks({ library }: Person, video_ids: string[], urls: string[]): Promise<void> {
  const videos = video_ids.map((id, n) => entry(id, { video_url: `${urls[n % urls.length]}/${id}.mp4` }))
  const channel_id = `c-${video_ids[0]}`
  await library.channels.save({ channel_id, title: 'c', rss_url: `https://feeds.example/${channel_id}` }, videos)
  await library.downloads.request(video_ids)
}

const ends = ({ library }: Person, video_id: string) =>
  until(async () => {
    const video = await library.videos.find(video_id)
    if (video?.download_status === 'failed' && !video.queued) throw new Error(video.download_error ?? 'it failed')
    return video?.download_status === 'completed'
  })

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const began = performance.now()
  while (!(await isSo())) {
    if (performance.now() - began > longest_ms) throw new Error('it took too long')
    await setTimeout(100)
  }
}

/** Sends 10 kB a second of a file that claims to have a gigabyte, from any offset. */
const drips: RequestListener = (request, answer) => {
  const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
  const length = whole_bytes - from
  const head = { 'content-type': 'video/mp4', 'content-length': length, 'accept-ranges': 'bytes' }
  if (from > 0) answer.writeHead(206, { ...head, 'content-range': `bytes ${from}-${whole_bytes - 1}/${whole_bytes}` })
  else answer.writeHead(200, head)
  if (request.method === 'HEAD') return void answer.end()
  const timer = setInterval(() => answer.write(new Uint8Array(drip.bytes)), drip.every_ms)
  answer.on('close', () => clearInterval(timer))
}

async function siteAt(address: string, listener: RequestListener) {
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

async function filmOf66kB(folder: string): Promise<Buffer> {
  const file = join(folder, 'small.mp4')
  const film =
    '-nostdin -loglevel error -f lavfi -i testsrc=size=320x180:rate=15:duration=4 -f lavfi -i sine=duration=4'
  const made = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -b:a 64k -shortest -y'
  await execa(env.FFMPEG_PATH ?? 'ffmpeg', [...film.split(' '), ...made.split(' '), file])
  return readFile(file)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
