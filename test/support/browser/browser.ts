/** In a browser: opens the Chromium that global set-up found, headless. */
import { env } from 'node:process'
import { type Browser, chromium } from 'playwright-core'
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
