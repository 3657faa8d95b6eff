/** Opens the Chromium that global set-up found, headless. */
import { env } from 'node:process'
import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'

export function openBrowser(): Promise<Browser> {
  const { executable, env: own } = inject('machine').chromium ?? { executable: '', env: {} }
  return chromium.launch({
    executablePath: executable,
    // Without a UTF-8 locale Chromium saves files with an accent in their name as "download".
    env: { ...env, LC_ALL: 'C.UTF-8', ...own },
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
