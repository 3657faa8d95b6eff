/** In a browser: opens the Chromium that global set-up found, headless, and signs in by the form. */
import { env } from 'node:process'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeEach, inject } from 'vitest'
import { password } from '../app/sign-in.ts'

/** The browser of this process, which all its test files share. It ends with the process. */
let shared: Promise<Browser> | undefined

function sharedBrowser(): Promise<Browser> {
  const forget = () => {
    shared = undefined
  }
  shared ??= launch().then(
    browser => browser.on('disconnected', forget),
    fault => {
      forget()
      throw fault
    },
  )
  return shared
}

/**
 * For one test file: contexts in the shared browser, or with `flags` in one of its own. Each is closed after the test that opened it; those
 * of `beforeAll`, after the file.
 */
export function useBrowser(flags: string[] = []) {
  let own: Promise<Browser> | undefined
  const browser = () => {
    if (flags.length === 0) return sharedBrowser()
    own ??= launch(flags)
    return own
  }
  afterAll(async () => (await own)?.close())
  const of_file: BrowserContext[] = []
  let opened = of_file
  const close = (contexts: BrowserContext[]) => Promise.all(contexts.splice(0).map(context => context.close()))
  beforeEach(() => {
    opened = []
  })
  afterEach(async () => {
    await close(opened)
    opened = of_file
  })
  afterAll(() => close(of_file))

  const newContext = async (options?: BrowserContextOptions): Promise<BrowserContext> => {
    // A service worker would hide requests from the routes of a test.
    const context = await (await browser()).newContext({ serviceWorkers: 'block', ...options })
    // A busy machine is no fault.
    context.setDefaultTimeout(30_000)
    opened.push(context)
    return context
  }
  const newPage = async (options?: BrowserContextOptions): Promise<Page> => (await newContext(options)).newPage()
  return { newContext, newPage }
}

function launch(flags: string[] = []): Promise<Browser> {
  const found = inject('machine').chromium
  if ('missing' in found) return Promise.reject(new Error(found.missing))
  return chromium.launch({
    executablePath: found.executable,
    // Without a UTF-8 locale Chromium saves files with an accent in their name as "download".
    env: { ...env, LC_ALL: 'C.UTF-8', ...found.env },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // No test asks a host on the internet, such as one with pictures. A route handler that refuses would turn off the browser's cache.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      '--autoplay-policy=no-user-gesture-required',
      ...flags,
    ],
  })
}

/** Opens a page that asks a person to sign in first, and leads back to it. They registered as in `journey.ts`. */
export async function openSignedIn(page: Page, username: string, path: string): Promise<void> {
  await page.goto(path)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`**${path}`)
}

/** Waits until the service worker of a page is active. Returns the address below which it works. */
export const workerScope = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const { active, scope } = await navigator.serviceWorker.ready
    if (active?.state !== 'activated')
      await new Promise(resolve => active?.addEventListener('statechange', resolve, { once: true }))
    return scope
  })
