/** A large file to one reader, next to nginx; and the memory that readers cost who stop reading. */
import { mkdir, open } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startNginx } from '../bounds/nginx.ts'
import { type Bench, compare, fewRounds, type Line, onSides } from '../run/bench.ts'
import type { Running } from '../run/checkout.ts'
import type { Figure } from '../run/figures.ts'
import { forked } from '../run/fork.ts'
import type { ReadResult } from '../run/read-process.ts'
import { addPeople, fillLibraries, type Person } from '../run/seed.ts'
import type { Side } from '../run/side.ts'
import type { Usage } from '../run/usage.ts'

const GiB = 2 ** 30

export async function stream(bench: Bench): Promise<Line[]> {
  const size = bench.quick ? GiB / 64 : GiB
  const sides = await onSides(bench, async side => {
    const people = await addPeople(side.database.sql, 10)
    const path = await giveFile(side, people, size)
    return { ...side, people, path, web: await side.start('web') }
  })
  const { now } = sides
  if (!now) return []
  const nginx = await startNginx(join(now.folder, 'nginx'), join(now.folder, 'downloads'))
  if (!nginx) bench.say('There is no nginx on this machine, so its figures are left out.')
  const read = (from: { url: string; usage(): Promise<Usage> }, path: string, person?: Person) =>
    readFile(from, from.url + path, person?.headers ?? {}, size)
  const ofNginx: Record<string, () => Promise<Figure>> = nginx
    ? { nginx: () => read(nginx, `/_files/${now.path}`) }
    : {}
  const whole = await compare(bench, sides, side => read(side.web, '/stream/c1v1', side.people[0]), ofNginx)
  return [{ what: 'stream of 1 GiB, CPU per GiB', unit: 'GB/s', ...whole }, ...(await stalledReaders(bench, sides))]
}

/** Makes the first video of every person a file on disk. Returns the path below the downloads folder. */
export async function giveFile(side: Side, people: Person[], size: number): Promise<string> {
  const { sql } = side.database
  await fillLibraries(sql, people, { channels: 1, entries_each: 1 })
  const path = 'c1/film.mp4'
  const file = join(side.folder, 'downloads', path)
  await mkdir(dirname(file), { recursive: true })
  const film = await open(file, 'w')
  await film.truncate(size)
  await film.close()
  await sql`
    update video_entries
    set    download_status = 'COMPLETED', download_path = ${path}, file_size = ${size}, download_completed_at = now()
    where  video_id = 'c1v1'`
  return path
}

type Sender = { usage(): Promise<Usage> }

async function readFile(from: Sender, url: string, headers: Record<string, string>, size: number): Promise<Figure> {
  const before = await from.usage()
  const program = new URL('../run/read-process.ts', import.meta.url)
  const { message } = await forked<ReadResult>(program, [], { url, headers })
  const after = await from.usage()
  if (message.bytes !== size) throw new Error(`${url} answered ${message.status} with ${message.bytes} bytes`)
  const app_ms = ((after.cpu_s - before.cpu_s) * 1000 * GiB) / size
  return { value: size / 1e9 / message.seconds, app_ms }
}

type Streaming = Side & { people: Person[] }

/** Each round has a new process, because memory that was given back is not measured twice. */
async function stalledReaders(bench: Bench, sides: { before?: Streaming; now?: Streaming }): Promise<Line[]> {
  const count = bench.quick ? 10 : 200
  const kept = { before: [] as number[], now: [] as number[] }
  const during = await compare(fewRounds(bench), sides, async side => {
    const web = await side.start('web')
    const { growth_mb, kept_mb } = await stall(web, side.people, count, bench.quick)
    kept[side.name].push(kept_mb)
    await web.stop()
    return { value: growth_mb }
  })
  const after = Object.fromEntries(
    Object.entries(kept).flatMap(([name, values]) => (values.length > 0 ? [[name, { value: middle(values) }]] : [])),
  )
  return [
    { what: '200 stalled readers: more memory', unit: 'MB', less: true, reach: '≤ 40 MB', ...during },
    { what: '… and half a minute after they left', unit: 'MB', less: true, reach: 'given back', figures: after },
  ]
}

const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function stall(web: Running, people: Person[], count: number, quick: boolean) {
  const { hostname, port } = new URL(web.url)
  // One read first, so that the code that sends files is loaded.
  await (
    await fetch(`${web.url}/stream/c1v1`, { headers: { ...people[0]?.headers, range: 'bytes=0-1000000' } })
  ).arrayBuffer()
  const before = await web.usage()
  const sockets: Socket[] = []
  for (let n = 0; n < count; n++) {
    const socket = connect(Number(port), hostname).on('error', () => {})
    const headers = Object.entries({ host: hostname, ...people[n % people.length]?.headers })
    socket.write(`GET /stream/c1v1 HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
    sockets.push(socket.pause())
    if (n % 20 === 19) await setTimeout(50)
  }
  // Until the system's buffers of each connection are full; from then on the service waits.
  await setTimeout(quick ? 500 : 8000)
  const during = await web.usage()
  for (const socket of sockets) socket.destroy()
  await setTimeout(quick ? 500 : 30_000)
  const after = await web.usage()
  return { growth_mb: during.mb - before.mb, kept_mb: after.mb - before.mb }
}
