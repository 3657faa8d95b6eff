/** In a browser: the time of a page, which a test stops or lets pass early. What the network brings takes its own time. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'
import { vi } from 'vitest'

/** Stops the time of a page, open or not: its timers wait for `page.clock.runFor`. A film plays on. */
export async function stopTime(page: Page): Promise<void> {
  const now = Date.now()
  await page.clock.install({ time: now - 3_600_000 })
  await page.clock.pauseAt(now)
}

/** The requests that a page has sent and that are not answered. A film is requested as long as it plays. */
const under_way = new WeakMap<Page, Set<Request>>()

/** Lets the time of a page pass early in `hurry`. */
export async function installClock(page: Page): Promise<void> {
  const sent = new Set<Request>()
  under_way.set(page, sent)
  page.on('request', request => request.resourceType() !== 'media' && sent.add(request))
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', request => void sent.delete(request))
  await page.clock.install()
}

/**
 * Waits for an event, or until a claim holds, and lets five seconds of the page pass early meanwhile, each when every request
 * is answered: otherwise an answer that is slow would reach its time limit. After those, time passes as usual. Throws for a page
 * without `installClock`.
 */
export async function hurry<T>(page: Page, awaited: Promise<T> | (() => T | Promise<T>)): Promise<T> {
  const requests = under_way.get(page)
  if (!requests) throw new Error('Call `installClock` for this page before `hurry`.')
  let has_come = false
  const event = typeof awaited === 'function' ? vi.waitFor(awaited) : awaited
  const come = event.finally(() => {
    has_come = true
  })
  for (let second = 0; second < 5 && !has_come; ) {
    if (requests.size === 0) {
      await page.clock.runFor(1000)
      second++
    }
    await Promise.race([come, pause(100)])
  }
  return come
}
