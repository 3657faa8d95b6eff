/** Checks that pages are light, that after the first only the page itself is requested, and that nothing shifts. */
import { expect, it } from 'vitest'
import { scene } from '../support/app/scene.ts'
import { onEveryPage } from '../support/browser/pages.ts'
import { useSite } from '../support/browser/site.ts'
import { costOf } from '../support/browser/weight.ts'

const site = useSite()

it('no page is heavier than 100 kB without its pictures', { timeout: 360_000 }, async () => {
  const heavy: Record<string, number> = {}
  await onEveryPage(site, {}, async (page, name) => {
    // This page loads a large package once, to show and try the API.
    if (name === '/api/docs') return
    const sizes = await page.evaluate(() =>
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .filter(entry => !['img', 'video', 'audio'].includes((entry as PerformanceResourceTiming).initiatorType))
        .map(entry => (entry as PerformanceResourceTiming).encodedBodySize),
    )
    const bytes = sizes.reduce((all, one) => all + one, 0)
    if (bytes > 100_000 || bytes === 0) heavy[name] = bytes
  })
  expect(heavy).toEqual({})
})

it.each([1280, 390])('no page shifts at %i px, or requests a file twice', { timeout: 360_000 }, async width => {
  const alice = await scene(site.sql, site.folder)
  for (const path of ['/', '/channels/kitchen', '/watch/done-1', '/watch/wanted', '/downloads', '/settings']) {
    const { page } = await site.open(alice, { viewport: { width, height: 800 } })
    const { first, second, shift, moved } = await costOf(page, path)
    expect(shift, `on ${path} moves ${moved.join()}`).toBeLessThan(0.01)
    expect(first.requests, path).toBeGreaterThan(4)
    // The page, and one poll for its downloads.
    expect(second.requests, path).toBeLessThanOrEqual(2)
    expect(second.bytes, path).toBeLessThanOrEqual(second.html_bytes + 5000)
    await page.context().close()
  }
})
