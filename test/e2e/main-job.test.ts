/** The main job with real parts, so that green means that Backlot works on this machine. `npm test` runs these tests. */
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { useBrowser } from '../support/browser/browser.ts'
import { followByForm, recordedPage, signUp } from '../support/browser/main-job.ts'
import { openMediaServer } from '../support/media/media.ts'
import { client, journey, publishFeed, signIn } from '../support/process/journey.ts'
import { openToOthers } from '../support/process/permissions.ts'
import { run, start } from '../support/process/processes.ts'
import { processesWith } from '../support/process/running.ts'
import { hasBytes, isDone, letSilencePass, living, useService } from '../support/process/service.ts'
import { environmentIn } from '../support/process/tools.ts'
import { newFolder } from '../support/run/new-folder.ts'

const db = useDatabase()
const service = useService(db)
const browser = useBrowser()

it('npm start does everything from account to file, stops cleanly, and has all its data at the next start', async () => {
  const folder = newFolder()
  const media = await openMediaServer()
  onTestFinished(() => media.close())
  const env = { DATABASE_URL: '', ...(await environmentIn(folder)) }
  const leftovers = () => processesWith(folder)

  const first = await start('all', { env })
  expect(first.line).toMatch(/^Backlot is at http:\/\/localhost:\d+$/)
  await journey(first.url, media, 'newcomer')
  expect(await first.stop('SIGINT')).toBe(0)
  await vi.waitFor(async () => expect(await leftovers()).toEqual([]), { interval: 20 })
  expect(await openToOthers(folder)).toEqual([])

  const second = await start('all', { env })
  const ask = client(second.url)
  await signIn(ask, 'newcomer')
  const { channels } = (await (await ask('/api/channels')).json()) as { channels: object[] }
  expect(channels).toHaveLength(1)

  const { said } = await run(['node_modules/.bin/node', 'jobs/cli/inspect.ts'], env)
  expect(said).toMatch(/The queue is empty\.|housekeeping/)
  expect(await second.stop()).toBe(0)
  await vi.waitFor(async () => expect(await leftovers()).toEqual([]), { interval: 20 })
})

it('a new person registers, follows a channel, downloads a video, plays it and seeks in it', async () => {
  const { media, web } = service
  const worker = await service.worker()
  const { page, faults } = await recordedPage(browser, web.url)
  const free = media.holdAfter(50_000, '/plain.mp4?held')
  const feed = publishFeed(media, { 'How to bake': '/plain.mp4?held', 'How to cook': '/plain.mp4?b' }, '/with.xml')

  await signUp(page, 'clicker')
  await followByForm(page, feed)
  await page.getByRole('link', { name: 'How to bake' }).first().click()
  await page.getByRole('button', { name: 'Download', exact: true }).first().click()
  await page.locator('progress').first().waitFor()
  free()
  await page.getByText('On disk', { exact: true }).first().waitFor({ timeout: 60_000 })
  await page.reload()

  await page.locator('video').waitFor()
  const played = await page.evaluate(async () => {
    const video = document.querySelector('video') as HTMLVideoElement
    video.muted = true
    await video.play()
    await new Promise<void>(resolve => {
      video.addEventListener('timeupdate', () => video.currentTime > 0.3 && resolve())
    })
    const began = video.currentTime
    video.pause()
    video.currentTime = 3
    await new Promise(resolve => video.addEventListener('seeked', resolve, { once: true }))
    return { began, sought: video.currentTime, duration: video.duration, size: [video.videoWidth, video.videoHeight] }
  })

  expect(played.began).toBeGreaterThan(0.3)
  expect(played.sought).toBeCloseTo(3, 1)
  expect(played.duration).toBeCloseTo(4, 0)
  expect(played.size).toEqual([320, 180])
  expect(faults).toEqual([])
  await worker.stop()
})

it('a download whose worker is killed is completed by another worker, and no yt-dlp outlives its worker', async () => {
  const { media, wants, env } = service
  const free = media.holdAfter(50_000, 'for=unlucky')
  const { until } = await wants('unlucky', '/plain.mp4?for=unlucky')
  const doomed = await service.worker()
  await until(hasBytes)
  const orphans = () => living(join(env.DOWNLOADS_DIR ?? '', '.work'))
  expect(await orphans()).not.toEqual([])

  expect(await doomed.stop('SIGKILL')).toBe('SIGKILL')
  await letSilencePass(db.sql)
  free()
  const other = await service.worker()

  await vi.waitFor(async () => expect(await orphans()).toEqual([]), { interval: 50 })
  expect(await until(isDone)).toMatchObject({ download_error: null })
  await other.stop()
})
