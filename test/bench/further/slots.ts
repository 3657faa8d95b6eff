/**
 * Measures how long one person's small video waits behind another person's 40 very slow downloads, compared with an idle
 * neighbour. Both slots are taken when it is requested: the longest wait behind one other person. Takes about two minutes.
 */
import { setTimeout } from 'node:timers/promises'
import { giveTools } from '../bounds/tools.ts'
import { openFilmSite, openSlowSite } from '../bounds/video-site.ts'
import { completed, followVideo } from '../household/download.ts'
import type { Bench } from '../run/bench.ts'
import { addPeople } from '../run/seed.ts'
import { openSide } from '../run/side.ts'

const longest_ms = 60_000

export async function slots({ checkouts: { now }, databases, folder }: Bench): Promise<object[]> {
  const side = await openSide('now', now, databases, folder)
  const { sql } = side.database
  const tools = await giveTools(side)
  const film = await openFilmSite(folder, tools.FFMPEG_PATH)
  const slow = [await openSlowSite('127.0.0.1'), await openSlowSite('127.0.0.2')]
  const [mallory, victim] = await addPeople(sql, 2)
  if (!mallory || !victim) throw new Error('no people')
  const web = await side.start('web', tools)
  await side.start('worker', { ...tools, WORKER_CONCURRENCY: '2' })
  const timed = async (video_id: string) => {
    await followVideo(side, victim, film, video_id)
    return `${(await completed(side, web.url, victim, video_id)).toFixed(1)} s`
  }

  // The first download waits until the worker has found its tools.
  await timed('first')
  const idle = await timed('idle')
  const video_ids = Array.from({ length: 40 }, (_, n) => `d${n}`)
  for (const [n, video_id] of video_ids.entries()) await followVideo(side, mallory, slow[n % 2] ?? film, video_id)
  const headers = { ...mallory.headers, 'content-type': 'application/json' }
  await fetch(`${web.url}/api/download/batch`, { method: 'POST', headers, body: JSON.stringify({ video_ids }) })
  const running = async () =>
    (await sql`select from video_entries where user_id = ${mallory.user_id} and download_status = 'DOWNLOADING'`).length
  for (const began = performance.now(); (await running()) < 2; await setTimeout(100))
    if (performance.now() - began > longest_ms) throw new Error('the slow downloads did not start')
  const busy = await timed('busy')
  return [
    { neighbour: 'idle', 'small video completed after': idle },
    {
      neighbour: '40 downloads of 10 kB/s, both slots taken',
      'small video completed after': busy,
      'of them running then': await running(),
    },
  ]
}
