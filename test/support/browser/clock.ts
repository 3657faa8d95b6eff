/** In a browser: the time of a page, which a test stops or lets pass early. What the network brings takes its own time. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { vi } from 'vitest'

/** Stops the time of a page, open or not: its timers wait for `page.clock.runFor`. A film plays on. */
export async function stopTime(page: Page): Promise<void> {
  const now = Date.now()
  await page.clock.install({ time: now - 3_600_000 })
  await page.clock.pauseAt(now)
}

/**
 * Waits for an event, or until a claim holds, and lets five seconds of the page pass early meanwhile. After those, time passes
 * as usual, so an answer that is slow is not taken for one that does not come. The page needs `page.clock.install`.
 */
export async function hurry<T>(page: Page, awaited: Promise<T> | (() => T | Promise<T>)): Promise<T> {
  let has_come = false
  const event = typeof awaited === 'function' ? vi.waitFor(awaited) : awaited
  const come = event.finally(() => {
    has_come = true
  })
  for (let second = 0; second < 5 && !has_come; second++) {
    await page.clock.runFor(1000)
    await Promise.race([come, pause(100)])
  }
  return come
}
