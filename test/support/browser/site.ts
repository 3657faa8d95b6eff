/** In a browser: the app on a port, without a worker. A test changes downloads by hand and looks at the page. */
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import type { FeedFinder } from '../../../src/domain/channels/discovery.ts'
import { type Server, serve } from '../../../src/runtime/serve.ts'
import { type Options, useApp } from '../app/app.ts'
import { entry, type Person } from '../app/people.ts'
import { finishes } from '../app/scene.ts'
import { getFilm } from '../media/films.ts'
import { useBrowser } from './browser.ts'

export const desktop = { viewport: { width: 1440, height: 900 } }
/** A window as wide as a phone, with a mouse. */
export const narrow = { viewport: { width: 390, height: 844 } }
export const phone = { ...narrow, hasTouch: true, isMobile: true }

/** Every address leads to the feed of one channel. */
export const findKitchen: FeedFinder = async rss_url => ({
  rss_url,
  feed: { channel_id: 'found', title: 'Found Kitchen', entries: [entry('f1')], skipped: 0 },
})

/** Moves the pointer there, and waits until the browser has noticed, which a busy one does later. */
export async function pointAt(what: Locator): Promise<void> {
  await what.hover()
  await expect.poll(() => what.evaluate(element => element.matches(':hover'))).toBe(true)
}

/** Before htmx is ready, a button sends its form and leaves the page, which loses the focus. */
export const readyForKeys = (page: Page): Promise<void> =>
  page.locator('[data-htmx-powered]').first().waitFor({ state: 'attached' })

/** `flags`: of a browser of its own. */
export function useSite(options: Options = {}, flags: string[] = []) {
  const app = useApp(options)
  let server: Server

  beforeAll(async () => {
    server = await serve(app.app.fetch, '127.0.0.1', 0)
  })
  afterAll(() => server?.close())
  // Hooks run in reverse order, so the contexts close before the server does.
  const browser = useBrowser(flags)

  /** A page, signed in or signed out, with its script errors in `faults`. */
  const open = async (
    as?: Pick<Person, 'cookie'>,
    more: BrowserContextOptions = {},
  ): Promise<{ page: Page; faults: string[] }> => {
    const context = await browser.newContext({ baseURL: server.url, ...more })
    const [name = '', value = ''] = as?.cookie.split('=') ?? []
    if (as) await context.addCookies([{ name, value, url: server.url }])
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', fault => faults.push(String(fault)))
    page.on('console', message => {
      if (message.type() === 'error' && !/ERR_(FAILED|NAME_NOT_RESOLVED)/.test(message.text()))
        faults.push(message.text())
    })
    return { page, faults }
  }

  /** Opens a page at this path. */
  const openAt = async (path: string, ...as: Parameters<typeof open>) => {
    const opened = await open(...as)
    await opened.page.goto(path)
    return opened
  }

  /** The download of a video of `kitchen` finishes, with a film of a minute on disk. */
  const finishesFilm = async (of: Person, video_id: string): Promise<void> => {
    const file = join(app.folder, of.user.user_id, 'kitchen', `${video_id}.mp4`)
    await mkdir(dirname(file), { recursive: true })
    await copyFile(await getFilm('/minute.mp4'), file)
    await finishes(of, video_id, 5)
  }

  return Object.assign(app, { open, openAt, finishesFilm, origin: () => server.url })
}
