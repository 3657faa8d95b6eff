/** From the request for a small video until it is on disk, next to the bare yt-dlp. */
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { execa } from 'execa'
import { bareTools, giveTools } from '../bounds/tools.ts'
import { openFilmSite, type VideoSite } from '../bounds/video-site.ts'
import { type Bench, compare, type Line, onSides } from '../run/bench.ts'
import { addPeople, cleaned, type Person } from '../run/seed.ts'
import type { Side } from '../run/side.ts'
import { cpuOfEndedChildren, cpuOfTrees } from '../run/usage.ts'

const longest_download_ms = 180_000

export async function download(bench: Bench): Promise<Line[]> {
  const { ytdlp, ffmpeg } = await bareTools(bench.folder)
  const site = await openFilmSite(bench.folder, ffmpeg)
  let count = 0
  const sides = await onSides(bench, async side => {
    const [person] = await addPeople(side.database.sql, 1)
    if (!person) throw new Error('no person')
    const tools = await giveTools(side)
    const { pid } = await side.start('worker', tools)
    // With the tools that it starts.
    const worker = { usage: async () => ({ cpu_s: await cpuOfTrees([pid]), mb: 0 }) }
    return { ...side, person, worker, web: await side.start('web', tools) }
  })
  const figures = await compare(
    bench,
    sides,
    side =>
      side.measured(side.worker, 1, async () => {
        await followVideo(side, side.person, site, `v${++count}`)
        return { value: await completed(side, side.web.url, side.person, `v${count}`) }
      }),
    {
      async 'bare yt-dlp'() {
        const [began, ended_s] = [performance.now(), await cpuOfEndedChildren()]
        const file = join(bench.folder, `bare-${++count}.mp4`)
        await execa(ytdlp, ['--ignore-config', '--quiet', '--output', file, `${site.url}/v${count}.mp4`])
        const value = (performance.now() - began) / 1000
        return { value, app_ms: ((await cpuOfEndedChildren()) - ended_s) * 1000 }
      },
    },
  )
  return [
    { what: 'trigger to completed, small file', unit: 's', less: true, reach: '≤ bare yt-dlp + 0.1 s', ...figures },
  ]
}

/** A channel with one video at this site. */
export async function followVideo(
  { database: { sql } }: Side,
  { user_id }: Person,
  { url }: VideoSite,
  video_id: string,
) {
  await sql`
    insert into channels (user_id, channel_id, title, rss_url, next_fetch_at)
    values (${user_id}, ${`c-${video_id}`}, 'Films', ${`${url}/${video_id}.xml`}, now() + interval '1 day')`
  await sql`
    insert into video_entries (user_id, channel_id, video_id, video_url, title)
    values (${user_id}, ${`c-${video_id}`}, ${video_id}, ${`${url}/${video_id}.mp4`}, ${video_id})`
  await cleaned(sql)
}

/** Requests the download. Seconds until it is completed. */
export async function completed(side: Side, url: string, { headers }: Person, video_id: string): Promise<number> {
  const began = performance.now()
  const answer = await fetch(`${url}/api/download/${video_id}`, { method: 'POST', headers })
  if (!answer.ok) throw new Error(`the download was not accepted: ${await answer.text()}`)
  for (;;) {
    const [video] = await side.database.sql`
      select download_status as status, download_error as error from video_entries where video_id = ${video_id}`
    const seconds = (performance.now() - began) / 1000
    if (video?.status === 'COMPLETED') return seconds
    if (video?.error || seconds * 1000 > longest_download_ms) throw new Error(video?.error ?? 'it took too long')
    await setTimeout(10)
  }
}
