/** Uses the service in a real browser, from registering to a playing video, with JavaScript and without. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { useBrowser } from '../support/browser/browser.ts'
import { type MediaServer, openMediaServer } from '../support/media/media.ts'
import { publishFeed } from '../support/process/journey.ts'
import { type Running, start } from '../support/process/processes.ts'
import { environmentIn } from '../support/process/tools.ts'

const db = useDatabase()
let folder: string
let media: MediaServer
let web: Running
let worker: Running
const browser = useBrowser()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backlot-browser-'))
  media = await openMediaServer()
  const env = {
    DATABASE_URL: db.url,
    ...(await environmentIn(folder)),
  }
  ;[web, worker] = await Promise.all([start('web', { env }), start('worker', { env })])
})
afterAll(async () => {
  await Promise.all([web?.stop(), worker?.stop()])
  await media.close()
  await rm(folder, { recursive: true, force: true })
})

/** A page that records its errors. */
async function open(options: { javaScriptEnabled?: boolean } = {}): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ baseURL: web.url, ...options })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', fault => faults.push(String(fault)))
  page.on('console', message => message.type() === 'error' && faults.push(message.text()))
  return { page, faults }
}

async function register(page: Page, username: string) {
  await page.goto('/channels')
  await page.getByRole('link', { name: 'Create account' }).first().click()
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByLabel('Password again').fill('correct horse battery')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText(`Welcome, ${username}.`).waitFor()
}

async function follow(page: Page, address: string) {
  await page.getByLabel('Channel, playlist').fill(address)
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await page.getByText('Following Slow Kitchen.').waitFor()
}

describe('with JavaScript', () => {
  it('a new person registers, follows a channel, downloads a video, plays it and seeks in it', async () => {
    const { page, faults } = await open()
    const free = media.holdAfter(50_000, '/plain.mp4?held')
    const feed = publishFeed(media, { 'How to bake': '/plain.mp4?held', 'How to cook': '/plain.mp4?b' }, '/with.xml')

    await register(page, 'clicker')
    await follow(page, feed)
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
  })

  it('a downloaded file is saved under the title of its video', async () => {
    const { page } = await open()
    await register(page, 'saver')
    await follow(page, publishFeed(media, { 'Crème brûlée': '/plain.mp4?c' }, '/saver.xml'))
    await page.getByRole('button', { name: 'Download', exact: true }).first().click()
    await page.locator('.cell.completed').first().waitFor({ state: 'attached', timeout: 60_000 })
    await page.getByLabel('More actions').first().click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save to this device' }).first().click(),
    ])
    expect(download.suggestedFilename()).toBe('Crème brûlée.mp4')
  })

  it('a running download can be cancelled, and a failed one says why it failed', async () => {
    const { page } = await open()
    await register(page, 'canceller')
    await follow(page, publishFeed(media, { Endless: '/plain.mp4?drip=3000' }, '/cancel.xml'))
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await page.locator('progress').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Download', exact: true }).waitFor()

    await page.goto('/channels')
    await follow(page, publishFeed(media, { Gone: '/gone' }, '/gone.xml'))
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await page.getByText('Why?').click({ timeout: 60_000 })
    await page.getByRole('button', { name: /^Retry/ }).waitFor()
    expect(await page.locator('main').textContent()).toContain('this video does not exist')
  })
})

describe('without JavaScript', () => {
  it('without JavaScript, forms and links alone lead from an account to a video', async () => {
    const { page } = await open({ javaScriptEnabled: false })
    await register(page, 'scriptless')
    await follow(page, publishFeed(media, { 'How to bake': '/plain.mp4?d' }, '/without.xml'))
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await expect
      .poll(
        async () => {
          await page.reload()
          return page.locator('.cell.completed').count()
        },
        { timeout: 60_000, interval: 300 },
      )
      .toBeGreaterThan(0)
    await page.getByRole('link', { name: 'How to bake' }).first().click()
    expect(await page.locator('video').getAttribute('src')).toMatch(/^\/stream\//)
    await page.getByText('scriptless').first().click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Signed out.').waitFor()
  })
})

describe('signing in', () => {
  it('signing in leads back to the page that was first requested', async () => {
    const { page } = await open()
    await register(page, 'returning')
    await page.context().clearCookies()
    await page.goto('/downloads')
    await page.getByLabel('Username').fill('returning')
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByLabel('Keep me signed in').check()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/downloads')
    const cookies = await page.context().cookies()
    expect(cookies.find(({ name }) => name === 'session')?.expires).toBeGreaterThan(Date.now() / 1000 + 29 * 86_400)
  })
})
