/** In a browser: opens the Chromium that global set-up found, headless, and signs in by the form. */
import { env } from 'node:process'
import { type Browser, chromium, type Page } from 'playwright-core'
import { inject } from 'vitest'

export function openBrowser(): Promise<Browser> {
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
      '--autoplay-policy=no-user-gesture-required',
    ],
  })
}

/** Opens a page that asks a person to sign in first, and leads back to it. They registered as in `journey.ts`. */
export async function openSignedIn(page: Page, username: string, path: string): Promise<void> {
  await page.goto(path)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`**${path}`)
}
