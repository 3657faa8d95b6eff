/** The machine's own Chromium, headless. */
import { env } from 'node:process'
import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: inject('machine').chromium ?? '',
    // Without a UTF-8 locale Chromium saves files with an accent in their name as "download".
    env: { ...env, LC_ALL: 'C.UTF-8' },
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
