/**
 * Below a path, in a browser and behind a real nginx, with another app at the root of the same host. Every request that leaves the path
 * fails the test, whether a page, a script or the service worker sends it.
 */
import { copyFile, mkdir } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serve } from '../../src/runtime/serve.ts'
import { useApp } from '../support/app/app.ts'
import { pages } from '../support/app/pages.ts'
import { has, type Person, someoneFirst, viewing } from '../support/app/people.ts'
import { storePicture } from '../support/app/pictures.ts'
import { addFacts, addOpenedByName, known_id, scene } from '../support/app/scene.ts'
import { password } from '../support/app/sign-in.ts'
import { useBrowser, workerScope } from '../support/browser/browser.ts'
import { createAccount } from '../support/browser/main-job.ts'
import { findKitchen } from '../support/browser/site.ts'
import { getFilm } from '../support/media/films.ts'
import { nginx_is_here, startNginx } from '../support/process/nginx.ts'

/** The address of nginx is known before nginx and the app are started. */
let socketPath = ''
const front = createServer(client => {
  const proxy = connect(socketPath)
  client.on('error', () => proxy.destroy()).on('close', () => proxy.destroy())
  proxy.on('error', () => client.destroy())
  client.pipe(proxy).pipe(client)
})
await new Promise<void>(listening => void front.listen(0, '127.0.0.1', listening))
const origin = `http://localhost:${(front.address() as { port: number }).port}`

const site = useApp({
  PUBLIC_URL: `${origin}/backlot`,
  findFeed: findKitchen,
})
const closers: (() => Promise<unknown>)[] = []
let outside: () => Promise<string[]>

beforeAll(async () => {
  if (!nginx_is_here) return
  await someoneFirst(site.sql)
  const service = await serve(site.app.fetch, '127.0.0.1', 0)
  const nginx = await startNginx(service.url.replace('localhost', '127.0.0.1'), { base: '/backlot' })
  closers.push(nginx.stop, service.close)
  outside = nginx.outside
  socketPath = nginx.socketPath
})
afterAll(async () => {
  for (const close of closers) await close()
  front.close()
})
const browser = useBrowser()

/** A page, with what went wrong in it: errors, requests that left the path, answers that say that something is missing. */
async function open(options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ baseURL: `${origin}/backlot/`, ...options })
  const faults: string[] = []
  context.on('request', request => {
    const url = request.url()
    if (!/^(data|blob):/.test(url) && !url.startsWith(`${origin}/backlot/`)) faults.push(`left the path: ${url}`)
  })
  context.on('response', answer => {
    if (answer.status() >= 400) faults.push(`${answer.status()} ${answer.url()}`)
  })
  const page = await context.newPage()
  page.on('pageerror', fault => faults.push(String(fault)))
  return { page, context, faults }
}

async function openAs({ cookie }: Pick<Person, 'cookie'>, options: BrowserContextOptions = {}) {
  const opened = await open(options)
  const [name = '', value = ''] = cookie.split('=')
  await opened.context.addCookies([{ name, value, url: `${origin}/backlot/` }])
  return opened
}

/** Puts a film of a minute on disk, with a picture that is stored. */
async function filmed(alice: Person, video_id: string): Promise<void> {
  await storePicture(site, 'video', `https://videos.example/${video_id}.jpg`)
  const download_path = `${alice.user.user_id}/kitchen/${video_id}.mp4`
  await mkdir(dirname(join(site.folder, download_path)), { recursive: true })
  await copyFile(await getFilm('/minute.mp4'), join(site.folder, download_path))
  await has(alice, video_id, download_path, 9)
}

const told = (page: Page) => page.locator('.flash').first()
const atSite = (path: string) => `${origin}/backlot/${path}`

describe.skipIf(!nginx_is_here)('below a path, behind nginx', () => {
  it.each([
    ['with a script', true],
    ['without a script', false],
  ])('%s, a person registers, follows a channel, signs out and in again', async (_, javaScriptEnabled) => {
    const { page, faults } = await open({ javaScriptEnabled })
    const username = `below-${javaScriptEnabled}`
    await page.goto('register')
    await createAccount(page, username)
    await page.waitForURL(atSite(''))

    await page.getByRole('link', { name: 'Channels' }).first().click()
    await page.getByLabel('Channel, playlist').fill('videos.example')
    await page.getByRole('button', { name: 'Follow', exact: true }).click()
    await told(page).getByText('Following Found Kitchen.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await told(page).getByText('No longer following Found Kitchen.').waitFor()

    await page.locator('details.user > summary').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(atSite('login'))
    await page.goto('settings/import')
    await page.waitForURL(atSite('login?next=*'))
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(atSite('settings/import'))
    const bookmark = await page.getByRole('link', { name: 'Add to Backlot' }).getAttribute('href')
    expect(bookmark).toContain(atSite('channels/new?url='))
    expect(faults).toEqual([])
    expect(await outside()).toEqual([])
  })

  it('videos play, are found, marked, sorted and polled by scripts and keys', async () => {
    const alice = await scene(site.sql, site.folder)
    await filmed(alice, 'wanted')
    const { page, faults } = await openAs(alice)

    await page.goto('./?show=all')
    await page.keyboard.press('/')
    await page.keyboard.type('channel:slow')
    await page
      .getByRole('option', { name: /Slow Kitchen/ })
      .first()
      .waitFor()
    await page.keyboard.press('Escape')

    await page.goto('./?show=all')
    const card = page.locator('article.video').first()
    await card.locator('.title a').focus()
    const marked = page.waitForResponse(answer => /\/backlot\/videos\/[^/]+\/later$/.test(answer.url()))
    await page.keyboard.press('l')
    expect((await marked).ok()).toBe(true)
    await card.getByLabel('More actions').click()
    await card.getByRole('link', { name: 'Add to playlist…' }).waitFor()

    await page.goto('watch/wanted?now')
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1.1)
    await page.getByRole('link', { name: 'Backlot', exact: true }).click()
    await expect.poll(async () => (await viewing(alice, 'wanted')).position_seconds).toBeGreaterThan(0)

    await page.goto('downloads')
    await page.waitForResponse(answer => answer.url().startsWith(atSite('api/download/status')))

    await page.goto(`playlists/${known_id}`)
    const row = page.locator('.row[data-video]').nth(1)
    const placed = page.waitForResponse(/\/backlot\/playlists\/[^/]+\/place$/)
    await row.getByLabel('Move').click()
    const [answer] = await Promise.all([placed, row.getByRole('button', { name: 'Move to the top' }).click()])
    expect(answer.ok()).toBe(true)

    const cookies = await page.context().cookies()
    expect(cookies.filter(({ path }) => !path.startsWith('/backlot'))).toEqual([])
    expect(faults).toEqual([])
    expect(await outside()).toEqual([])
  })

  it('no page about anything leaves the path', async () => {
    const alice = await scene(site.sql, site.folder)
    await addFacts(alice, site.folder)
    await addOpenedByName(site.sql, alice)
    const { page, faults } = await openAs(alice)
    const visited = [...pages['news and search'], ...pages.channels, ...pages['videos and settings']]
    // The scripts of a page are the same with any query; `base-path.pages.test.ts` reads the markup with each.
    const once = Map.groupBy(visited, ({ path }) => path.replace(/\?.*/, ''))
    for (const [{ path } = { path: '' }] of once.values()) {
      await page.goto(`.${path}`)
      await page.locator('#main').waitFor()
      if (path === '/api/docs') await page.locator('.opblock').last().waitFor({ timeout: 60_000 })
    }
    expect(faults).toEqual([`404 ${atSite('nowhere')}`])
    expect(await outside()).toEqual([])
  })

  it('the service worker and the installed app have the path, and leave the other app alone', async () => {
    const { page, context, faults } = await open({ serviceWorkers: 'allow' })
    await page.goto('login')
    expect(await workerScope(page)).toBe(atSite(''))
    const line = await context.newCDPSession(page)
    const { errors, data } = await line.send('Page.getAppManifest')
    expect(errors).toEqual([])
    expect(JSON.parse(data ?? '{}')).toMatchObject({ start_url: '../', scope: '../' })
    const { installabilityErrors } = await line.send('Page.getInstallabilityErrors')
    expect(installabilityErrors.map(({ errorId }) => errorId).filter(id => id !== 'in-incognito')).toEqual([])
    expect(faults).toEqual([])
    expect(await outside()).toEqual([])

    await context.setOffline(true)
    await page.goto('downloads')
    expect(await page.getByRole('link', { name: 'Try again' }).getAttribute('href')).toBe(atSite('downloads'))
    // The browser's own page, and not ours.
    await expect(page.goto(`${origin}/other`)).rejects.toThrow(/ERR_/)
    await context.setOffline(false)
    const back = page.waitForURL(/\/backlot\/login/)
    await page.goto('downloads')
    await back
  })
})
