/** Checks that after the first page only the page itself is requested, and that nothing shifts. */
import { expect, it } from 'vitest'
import { scene } from '../support/app/scene.ts'
import { useSite } from '../support/browser/site.ts'
import { costOf } from '../support/browser/weight.ts'

const site = useSite()

it.each([1280, 390])('no page shifts at %i px, or requests a file twice', { timeout: 360_000 }, async width => {
  const alice = await scene(site.sql, site.folder)
  const check = async (path: string) => {
    const { page } = await site.open(alice, { viewport: { width, height: 800 } })
    const { first, second, shift, moved } = await costOf(page, path)
    expect(shift, `on ${path} moves ${moved.join()}`).toBeLessThan(0.01)
    expect(first.requests, path).toBeGreaterThan(4)
    expect(first.bytes, path).toBeLessThanOrEqual(path.startsWith('/watch/') ? 110_000 : 100_000)
    // The page, and the parts of a video that may be skipped.
    expect(second.requests, path).toBeLessThanOrEqual(path.startsWith('/watch/') ? 2 : 1)
    expect(second.bytes, path).toBeLessThanOrEqual(second.html_bytes + 5000)
  }
  // Together, because each mostly waits until nothing is requested.
  await Promise.all(['/', '/channels/kitchen', '/watch/done-1', '/watch/wanted', '/downloads', '/settings'].map(check))
})
