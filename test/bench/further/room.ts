/** Measures figures of the README: how many downloads one worker completes an hour, and the disk space of a video in the database. */
import { setTimeout } from 'node:timers/promises'
import { giveTools } from '../bounds/tools.ts'
import { openFilmSite } from '../bounds/video-site.ts'
import { followVideo } from '../household/download.ts'
import type { Bench } from '../run/bench.ts'
import { addPeople, fillLibraries } from '../run/seed.ts'
import { openSide } from '../run/side.ts'

/** Each site is paused between two downloads, so there are many. */
const sites = 40
const videos = 100_000
const longest_ms = 120_000

export async function room({ checkouts: { now }, databases, folder }: Bench): Promise<object[]> {
  const side = await openSide('now', now, databases, folder)
  const { sql } = side.database
  const tools = await giveTools(side)
  const [keeper, downloader] = await addPeople(sql, 2)
  if (!keeper || !downloader) throw new Error('no people')
  await fillLibraries(sql, [keeper], { channels: 100, entries_each: videos / 100 })
  const [stored] = await sql<{ bytes: number; of_it_indexes: number }[]>`
    select pg_total_relation_size('video_entries')::int as bytes, pg_indexes_size('video_entries')::int as of_it_indexes`

  const video_ids = Array.from({ length: sites }, (_, n) => `film${n}`)
  for (const [n, video_id] of video_ids.entries()) {
    const site = await openFilmSite(folder, tools.FFMPEG_PATH, `127.0.0.${n + 3}`)
    await followVideo(side, downloader, site, video_id)
  }
  const web = await side.start('web', tools)
  const worker = await side.start('worker', tools)
  const completed = async () =>
    (await sql`select from video_entries where user_id = ${downloader.user_id} and download_status = 'COMPLETED'`)
      .length
  const until = async (count: number) => {
    for (const began = performance.now(); (await completed()) < count; await setTimeout(50))
      if (performance.now() - began > longest_ms) throw new Error('the downloads took too long')
  }
  const headers = { ...downloader.headers, 'content-type': 'application/json' }
  const request = (video_ids: string[]) =>
    fetch(`${web.url}/api/download/batch`, { method: 'POST', headers, body: JSON.stringify({ video_ids }) })

  // The first download waits until the worker has found its tools.
  await request(video_ids.slice(0, 1))
  await until(1)
  let seconds = 0
  const { app_ms } = await side.measured(worker, sites - 1, async () => {
    const began = performance.now()
    await request(video_ids.slice(1))
    await until(sites)
    seconds = (performance.now() - began) / 1000
    return { value: seconds }
  })
  return [
    { what: 'small downloads an hour, two at once', figure: Math.round((3600 * (sites - 1)) / seconds) },
    { what: 'ms CPU of the worker a download, without its tools', figure: Math.round(app_ms ?? 0) },
    { what: 'kB on disk a video, in the database', figure: Math.round((stored?.bytes ?? 0) / videos / 100) / 10 },
    { what: 'of it indexes', figure: Math.round((stored?.of_it_indexes ?? 0) / videos / 100) / 10 },
  ]
}
