/**
 * From a press on "Watch now" to the first picture in Chromium, over lines of two speeds; next to mpv with yt-dlp, from its start to its
 * first frame. The download ends then.
 */
import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from 'node:process'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { chromium, type Page } from 'playwright-core'
import { findMachine } from '../../support/run/machine.ts'
import { type Line as Connection, openLine } from '../bounds/line.ts'
import { bareTools, giveTools } from '../bounds/tools.ts'
import { type Bench, compare, fewRounds, type Line, onSides } from '../run/bench.ts'
import type { Running } from '../run/checkout.ts'
import { endAfterRow } from '../run/children.ts'
import { addPeople, cleaned, type Person } from '../run/seed.ts'
import type { Side } from '../run/side.ts'

/** mpv plays a file without yt-dlp, so it is given a page with that file. */
const forms = {
  'one file': { path: 'film.mp4', for_mpv: 'film.html' },
  'picture and sound apart': { path: 'dash/film.mpd', for_mpv: 'dash/film.mpd' },
  HLS: { path: 'hls/film.m3u8', for_mpv: 'hls/film.m3u8' },
}
const speeds = [
  { megabits: 20, reach: '≤ 1.5 s' },
  { megabits: 6, reach: '≤ 2 s' },
]

export async function firstPicture(bench: Bench): Promise<Line[]> {
  const { ytdlp, ffmpeg } = await bareTools(bench.folder)
  const films = join(bench.folder, 'films')
  await makeFilms(films, ffmpeg, bench.quick ? 12 : 60)
  const line = await openLine(films)
  const browser = await openBrowser()
  const sides = await onSides(bench, async side => {
    const [person] = await addPeople(side.database.sql, 1)
    if (!person) throw new Error('no person')
    const tools = await giveTools(side)
    await side.start('worker', tools)
    const web = await side.start('web', tools)
    return { ...side, person, web, page: await pageOf(browser, web, person) }
  })
  const has_mpv = !(await execa('mpv', ['--version'], { reject: false })).failed
  if (!has_mpv) bench.say('There is no mpv on this machine, so its figures are left out.')
  let count = 0
  const measured = (form: keyof typeof forms, rounds: Partial<Bench> = {}) => {
    const { path, for_mpv } = forms[form]
    return compare(
      { ...fewRounds(bench), first_rounds: 0, ...rounds },
      sides,
      async ({ page, ...side }) => {
        const video_id = await addVideo(side, side.person, line, { name: `film-${++count}`, path })
        const value = await seen(page, side.web, side.person, video_id)
        await line.free()
        return { value }
      },
      {
        'mpv with yt-dlp':
          has_mpv &&
          (async () => {
            const value = await seenInMpv(ytdlp, `${line.url}/${for_mpv}`)
            await line.free()
            return { value }
          }),
      },
    )
  }
  const lines: Line[] = []
  try {
    // Starts yt-dlp, ffmpeg and the player once: this round does not count.
    line.setMegabits(20)
    if (!bench.quick) await measured('one file', { rounds: 1 })
    for (const form of bench.quick ? (['one file'] as const) : (Object.keys(forms) as (keyof typeof forms)[]))
      for (const { megabits, reach } of bench.quick ? speeds.slice(0, 1) : speeds) {
        line.setMegabits(megabits)
        const what = `first picture of ${form}, ${megabits} Mbit/s`
        lines.push({ what, unit: 's', less: true, reach, ...(await measured(form)) })
      }
  } finally {
    await browser.close()
    line.close()
  }
  return lines
}

async function openBrowser() {
  const { chromium: found } = await findMachine()
  if ('missing' in found) throw new Error(found.missing)
  return chromium.launch({
    executablePath: found.executable,
    env: { ...env, LC_ALL: 'C.UTF-8', ...found.env },
    args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
  })
}

async function pageOf(browser: Awaited<ReturnType<typeof openBrowser>>, { url }: Running, { headers }: Person) {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1200, height: 800 } })
  const [name = '', value = ''] = (headers.cookie ?? '').split('=')
  await context.addCookies([{ name, value, url }])
  await context.addInitScript(recordWhatIsSeen)
  return context.newPage()
}

/** A video in a channel of its own. Returns its identifier. */
async function addVideo(
  { database: { sql } }: Pick<Side, 'database'>,
  { user_id }: Person,
  { url }: Connection,
  { name, path }: { name: string; path: string },
): Promise<string> {
  await sql`
    insert into channels (user_id, channel_id, title, rss_url, next_fetch_at)
    values (${user_id}, ${name}, 'Films', ${`${url}/${name}.xml`}, now() + interval '1 day')`
  await sql`
    insert into video_entries (user_id, channel_id, video_id, video_url, title)
    values (${user_id}, ${name}, ${name}, ${`${url}/${path}?${name}`}, ${name})`
  await cleaned(sql)
  return name
}

type Seen = { pressed_at: number; first_picture_at: number }

/** In the page: keeps the time of the press over the next page, and notes the first picture. */
function recordWhatIsSeen(): void {
  const seen: Seen = { pressed_at: Number(sessionStorage.pressed_at), first_picture_at: 0 }
  Object.assign(window, { seen })
  addEventListener('click', () => Object.assign(sessionStorage, { pressed_at: Date.now() }), { capture: true })
  const look = () => {
    const media = document.querySelector<HTMLVideoElement>('video.player')
    if (!media) return requestAnimationFrame(look)
    return media.requestVideoFrameCallback(() => {
      seen.first_picture_at = Date.now()
    })
  }
  look()
}

/** Seconds to the first picture. Ends the download. */
async function seen(page: Page, { url }: Running, { headers }: Person, video_id: string): Promise<number> {
  await page.goto(`/watch/${video_id}`)
  await page.getByRole('button', { name: 'Watch now' }).click()
  await page.waitForFunction(() => (window as unknown as { seen?: Seen }).seen?.first_picture_at, undefined, {
    timeout: 60_000,
  })
  const { pressed_at, first_picture_at } = await page.evaluate(() => (window as unknown as { seen: Seen }).seen)
  await page.goto('about:blank')
  const answer = await fetch(`${url}/api/download/${video_id}`, { method: 'DELETE', headers })
  if (!answer.ok) throw new Error(`the download did not end: ${await answer.text()}`)
  return (first_picture_at - pressed_at) / 1000
}

/** Seconds from the start of mpv to its first frame, which it draws on no screen. */
async function seenInMpv(ytdlp: string, url: string): Promise<number> {
  const began = performance.now()
  const silent = ['--no-config', '--vo=null', '--ao=null', '--msg-level=cplayer=v']
  const args = [...silent, `--script-opts=ytdl_hook-ytdl_path=${ytdlp}`, `ytdl://${url}`]
  const mpv = endAfterRow(spawn('mpv', args, { stdio: ['ignore', 'pipe', 'ignore'] }))
  for await (const line of createInterface({ input: mpv.stdout ?? process.stdin }))
    if (line.includes('first video frame after restart shown')) {
      mpv.kill()
      return (performance.now() - began) / 1000
    }
  throw new Error(`mpv showed nothing of ${url}`)
}

/** About 1.5 Mbit/s, as one file, as DASH and as HLS. */
async function makeFilms(folder: string, ffmpeg: string, seconds: number): Promise<void> {
  await mkdir(join(folder, 'dash'), { recursive: true })
  await mkdir(join(folder, 'hls'))
  await writeFile(join(folder, 'film.html'), '<title>Film</title><video src="film.mp4"></video>')
  const words = (text: string) => text.split(' ')
  const run = (...args: string[]) => execa(ffmpeg, ['-nostdin', '-loglevel', 'error', ...args], { cwd: folder })
  await run(
    ...words(`-f lavfi -i testsrc2=size=1280x720:rate=25:duration=${seconds}`),
    ...words(`-f lavfi -i sine=frequency=440:duration=${seconds}`),
    ...words('-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 50 -b:v 1400k -maxrate 1500k -bufsize 1500k'),
    ...words('-c:a aac -b:a 96k -movflags +faststart film.mp4'),
  )
  await run(
    ...words('-i film.mp4 -c copy -f dash -seg_duration 2'),
    '-adaptation_sets',
    'id=0,streams=v id=1,streams=a',
    'dash/film.mpd',
  )
  await run(...words('-i film.mp4 -c copy -f hls -hls_time 2 -hls_playlist_type vod hls/film.m3u8'))
}
