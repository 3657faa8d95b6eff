/** The machine's own Chromium, headless. */
import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: inject('machine').chromium ?? '',
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
