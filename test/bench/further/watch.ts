/**
 * From a press on "Watch now" to the first picture, over lines of three speeds, next to the time that the download takes without a
 * viewer. Then seeks in what has arrived, and what a viewer sees when the finished file takes over. Needs Chromium.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from 'node:process'
import { execa } from 'execa'
import { chromium, type Page } from 'playwright-core'
import { findMachine } from '../../support/run/machine.ts'
import { type Line, openLine } from '../bounds/line.ts'
import { toolsIn } from '../bounds/video-site.ts'
import { completed } from '../rows/download.ts'
import type { Bench } from '../run/bench.ts'
import { addPeople, cleaned, type Person } from '../run/seed.ts'
import { openSide, type Side } from '../run/side.ts'

const forms = { 'one file': 'film.mp4', 'picture and sound apart': 'dash/film.mpd', HLS: 'hls/film.m3u8' }
type Form = keyof typeof forms

export async function watch({ checkouts: { now }, databases, folder, quick }: Bench): Promise<object[]> {
  const { chromium: found } = await findMachine()
  if ('missing' in found) throw new Error(found.missing)
  const tools = await toolsIn(folder)
  const films = join(folder, 'films')
  await makeFilms(films, tools.FFMPEG_PATH, quick ? 12 : 60)
  const line = await openLine(films)
  const side = await openSide('now', now, databases, folder)
  const [person] = await addPeople(side.database.sql, 1)
  if (!person) throw new Error('no person')
  await side.start('worker', tools)
  const web = await side.start('web', tools)
  const browser = await chromium.launch({
    executablePath: found.executable,
    env: { ...env, LC_ALL: 'C.UTF-8', ...found.env },
    args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
  })
  const rows: object[] = []
  try {
    const context = await browser.newContext({ baseURL: web.url, viewport: { width: 1200, height: 800 } })
    const [name = '', value = ''] = (person.headers.cookie ?? '').split('=')
    await context.addCookies([{ name, value, url: web.url }])
    await context.addInitScript(noteWhatIsSeen)
    const page = await context.newPage()
    const video = videosOf(side, person, line)
    // Starts yt-dlp and ffmpeg once, which a first round would count.
    await completed(side, web.url, person, await video('one file', 'first'))
    for (const form of Object.keys(forms) as Form[])
      for (const megabits of quick ? [20] : [2, 6, 20]) {
        line.setMegabits(megabits)
        const plain_s = await completed(side, web.url, person, await video(form, `plain-${megabits}`))
        const seen = await watched(page, await video(form, `watched-${megabits}`))
        rows.push({ source: form, 'Mbit/s': megabits, 'plain download, s': plain_s.toFixed(1), ...seen })
      }
  } finally {
    await browser.close()
    line.close()
  }
  return rows
}

/** A video in a channel of its own, which has the form. Returns its identifier. */
const videosOf =
  ({ database: { sql } }: Side, { user_id }: Person, { url }: Line) =>
  async (form: Form, name: string): Promise<string> => {
    const video_id = `${name}-${form}`.replace(/\W/g, '-')
    await sql`
      insert into channels (user_id, channel_id, title, rss_url, next_fetch_at)
      values (${user_id}, ${video_id}, 'Films', ${`${url}/${video_id}.xml`}, now() + interval '1 day')`
    await sql`
      insert into video_entries (user_id, channel_id, video_id, video_url, title)
      values (${user_id}, ${video_id}, ${video_id}, ${`${url}/${forms[form]}?${video_id}`}, ${video_id})`
    await cleaned(sql)
    return video_id
  }

type Seen = { pressed_at: number; first_picture_at: number; steps: [at: number, position: number][] }

/** In the page: keeps the time of the press over the next page, notes the first picture, and the position of every drawn frame. */
function noteWhatIsSeen(): void {
  const seen: Seen = { pressed_at: Number(sessionStorage.pressed_at), first_picture_at: 0, steps: [] }
  Object.assign(window, { seen })
  addEventListener('click', () => Object.assign(sessionStorage, { pressed_at: Date.now() }), { capture: true })
  const note = () => {
    const media = document.querySelector<HTMLVideoElement>('video.player')
    if (media) seen.steps.push([performance.now(), media.currentTime])
    if (media && seen.steps.length === 1)
      media.requestVideoFrameCallback(() => {
        seen.first_picture_at = Date.now()
      })
    requestAnimationFrame(note)
  }
  requestAnimationFrame(note)
}

const seenIn = (page: Page) => page.evaluate(() => (window as unknown as { seen: Seen }).seen)

async function watched(page: Page, video_id: string): Promise<object> {
  await page.goto(`/watch/${video_id}`)
  await page.getByRole('button', { name: 'Watch now' }).click()
  await page.waitForFunction(() => (window as unknown as { seen?: Seen }).seen?.first_picture_at, undefined, {
    timeout: 120_000,
  })
  const { pressed_at, first_picture_at } = await seenIn(page)
  const sought = await page.locator('video.player').evaluate(seeks)
  await page.evaluate(() => {
    ;(window as unknown as { seen: Seen }).seen.steps.length = 0
  })
  await page.waitForFunction(isWholeFile, undefined, { timeout: 120_000 })
  const whole_at = Date.now()
  await page.waitForTimeout(2000)
  const { longest_step_s, back_s, longest_pause_ms } = gapsIn((await seenIn(page)).steps)
  return {
    'first picture, s': ((first_picture_at - pressed_at) / 1000).toFixed(1),
    seeks: sought.length,
    'median seek, ms': median(sought).toFixed(0),
    'longest seek, ms': Math.max(0, ...sought).toFixed(0),
    'finished file, s': ((whole_at - pressed_at) / 1000).toFixed(1),
    'longest step, s': longest_step_s.toFixed(2),
    'longest step back, s': back_s.toFixed(2),
    'longest pause, ms': longest_pause_ms.toFixed(0),
  }
}

/** In the page: twenty places in what has arrived, each until its picture is there. Ends before the finished file is. Milliseconds. */
async function seeks(media: SVGElement | HTMLElement): Promise<number[]> {
  const player = media as HTMLVideoElement
  const took: number[] = []
  for (let nth = 0; nth < 20 && player.dataset.arriving !== undefined; nth++) {
    const arrived = Number(player.dataset.arrived ?? 0)
    const began = performance.now()
    const done = new Promise<boolean>(resolve => {
      player.addEventListener('seeked', () => resolve(true), { once: true })
      setTimeout(() => resolve(false), 5000)
    })
    player.currentTime = Math.max(0, (arrived - 1) * ((nth * 7) % 20) * 0.05)
    if (await done) took.push(performance.now() - began)
  }
  return took
}

const isWholeFile = () => {
  const media = document.querySelector<HTMLVideoElement>('video.player')
  return media !== null && !media.paused && new URL(media.currentSrc, location.href).pathname.startsWith('/stream/')
}

/** Around the switch: how far the position moved between two frames, and how long it did not move. */
function gapsIn(steps: [at: number, position: number][]) {
  let [longest_step_s, back_s, longest_pause_ms, moved_at] = [0, 0, 0, steps[0]?.[0] ?? 0]
  for (const [nth, [at, position]] of steps.entries()) {
    const before = steps[nth - 1]?.[1] ?? position
    longest_step_s = Math.max(longest_step_s, position - before)
    back_s = Math.max(back_s, before - position)
    if (position !== before) {
      longest_pause_ms = Math.max(longest_pause_ms, at - moved_at)
      moved_at = at
    }
  }
  return { longest_step_s, back_s, longest_pause_ms }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** About 1.5 Mbit/s, as one file, as DASH and as HLS. */
async function makeFilms(folder: string, ffmpeg: string, seconds: number): Promise<void> {
  await mkdir(join(folder, 'dash'), { recursive: true })
  await mkdir(join(folder, 'hls'))
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
